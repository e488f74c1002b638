import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitepress'
import * as pages from '../pages.mjs'
import { miniSearch } from '../search.mjs'

const groups = pages.menu()
/** The pages that all have the name of the project as their title. */
const names = { 'README.md': 'Overview', 'README.zh-CN.md': '中文' }
const all = groups.flatMap(group => group.pages)
const reports = Object.entries(pages.reports)
  .filter(([file]) => process.env.SITE_REPORTS && existsSync(join(process.env.SITE_REPORTS, file)))
  .map(([file, text]) => ({ text, link: `/${file}`, target: '_blank' }))

const sidebar = [
  ...groups.map(({ name, pages: sources }, at) => ({
    text: name,
    collapsed: at > 2,
    items: sources.map(source => ({ text: names[source] ?? pages.title(source), link: pages.link(source) })),
  })),
  ...(reports.length ? [{ text: 'Reports and API', items: reports }] : []),
]

function nav(...texts) {
  const sources = ['docs/strategies/README.md', 'docs/holding-and-waiting.md', 'docs/guarantees.md']
  return sources.map((source, at) => ({ text: texts[at], link: pages.link(source) }))
}

/** Links are written for GitHub; here they lead to the places of the pages on the site. */
function links(md) {
  md.core.ruler.push('links', ({ tokens, env }) => {
    const source = sourceOf(env)
    for (const token of tokens.flatMap(each => each.children ?? [])) {
      if (token.type === 'link_open') token.attrSet('href', pages.resolve(source, token.attrGet('href')))
    }
  })
}

function sourceOf({ realPath, path }) {
  return (realPath ?? path).slice(pages.home.length + 1).replaceAll('\\', '/')
}

/** A table is in a block of its own, which scrolls. */
function tables(md) {
  md.renderer.rules.table_open = () => '<div class="table"><table>\n'
  md.renderer.rules.table_close = () => '</table></div>\n'
}

export default defineConfig({
  srcDir: pages.home,
  cacheDir: join(pages.home, 'docs/site/node_modules/.cache'),
  // What is left are the pages of the menu, as PagesTest says.
  srcExclude: ['**/target/**', '**/src/**', '.*/**'],
  rewrites: Object.fromEntries(all.map(source => [source, pages.place(source)]).filter(([from, to]) => from !== to)),
  title: 'mongo-locks',
  lang: 'en',
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  locales: {
    root: { label: 'English', lang: 'en' },
    zh: {
      label: '中文',
      lang: 'zh-CN',
      themeConfig: {
        nav: nav('选择策略', '持有与等待', '保证'),
        outline: { label: '本页内容', level: [2, 3] },
        docFooter: { prev: '上一页', next: '下一页' },
        darkModeSwitchLabel: '深色模式',
        sidebarMenuLabel: '菜单',
        returnToTopLabel: '返回顶部',
        langMenuLabel: '语言',
      },
    },
  },
  markdown: { anchor: { slugify: pages.slug }, config: md => { links(md); tables(md) } },
  transformPageData: page => ({ description: pages.description(page.filePath) }),
  themeConfig: {
    version: pages.version,
    nav: nav('Choose a strategy', 'Hold and wait', 'Guarantees'),
    sidebar,
    outline: [2, 3],
    i18nRouting: false,
    search: {
      provider: 'local',
      options: {
        miniSearch,
        locales: { zh: { translations: { button: { buttonText: '搜索' }, modal: { noResultsText: '没有结果' } } } },
      },
    },
    footer: { message: `mongo-locks ${pages.version} · Apache License 2.0` },
  },
  vite: {
    plugins: [{
      // The sources are no neighbours of the packages; Node finds them from where the pages are rendered.
      name: 'vue-of-the-site',
      enforce: 'pre',
      resolveId: (id, from, { ssr }) => ssr && /^vue(\/server-renderer)?$/.test(id) ? { id, external: true } : undefined,
    }, {
      name: 'one-index-for-all-languages',
      transform: (code, id) => id === '/@localSearchIndex' ? code.replace(/"root": ([^,}]+)/, '$&, "zh": $1') : undefined,
    }],
  },
})
