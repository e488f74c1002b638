// The pages of the project: which there are, where the menu has them, and where the public repository is.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

export const home = join(dirname(fileURLToPath(import.meta.url)), '../..')
const bom = read('integrations/bom/pom.xml')
export const version = /<artifactId>mongo-locks-bom<\/artifactId>\s*<version>([^<]+)/.exec(bom)[1]
const branch = version.endsWith('-SNAPSHOT') ? 'main' : `v${version}`
export const repository = `${/<address>([^<]+)/.exec(bom)[1]}/blob/${branch}/`
/** Pages of other programs, as far as they are in the directory of reports: path and title. */
export const reports = {
  'study.html': 'The study: every technique under every fault',
  'exhaustive.html': 'Small worlds, searched whole',
  'report.html': 'The comparison',
  'api/index.html': 'Javadoc',
}

export function read(path) {
  return readFileSync(join(home, path), 'utf8')
}

/** The groups of docs/menu.txt with the paths of their pages. */
export function menu() {
  const groups = []
  for (const line of read('docs/menu.txt').split('\n').filter(each => each && !each.startsWith('#'))) {
    if (line.startsWith(' ')) groups.at(-1).pages.push(line.trim())
    else groups.push({ name: line, pages: [] })
  }
  return groups
}

/** The place of a page on the site. A directory is the page that its README is. */
export function place(source) {
  return source === 'README.zh-CN.md' ? 'zh/index.md' : source.replace(/(^|\/)README\.md$/, '$1index.md')
}

export function link(source) {
  return '/' + place(source).replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '.html')
}

/** The words of a line of Markdown. */
export function words(markdown) {
  return markdown.replace(/\[([^\]]*)]\([^)]*\)/g, '$1').replace(/[`*]/g, '')
}

export function title(source) {
  return words(/^# (.*)$/m.exec(read(source))[1])
}

/** The first paragraph, or its beginning. */
export function description(source) {
  const text = words(/^(?![#|<>\-\s`])[^\n]+(\n[^\n]+)*/m.exec(read(source))?.[0] ?? title(source)).replace(/\s+/g, ' ')
  return text.length <= 160 ? text : `${text.slice(0, 160).replace(/\s+\S*$/, '')} …`
}

/** Turns a link between files into one of the site, or of the repository if the file is no page. */
export function resolve(source, href) {
  if (/^([a-z]+:|#)/.test(href)) return href
  const [, path, anchor] = /^([^#]*)(.*)$/.exec(href)
  const target = posix.join(posix.dirname(source), path).replace(/\/$/, '')
  const page = [target, posix.join(target, 'README.md')].find(each => each.endsWith('.md') && existsSync(join(home, each)))
  return page ? link(page) + anchor : repository + target + anchor
}

/** The anchor of a heading, as GitHub makes it. */
export function slug(heading) {
  return heading.trim().toLowerCase().replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '').replace(/\s/g, '-')
}

/** The order of versions: numbers by value, and a release before its snapshot. */
export function newestFirst(a, b) {
  const [[x, left], [y, right]] = [a, b].map(each => each.split('-'))
  return y.localeCompare(x, 'en', { numeric: true }) || (left ?? '').localeCompare(right ?? '')
}
