// Tests of the site: what the search finds first, and its pages. SITE is the directory of a version that site.mjs has made.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import MiniSearch from 'minisearch'
import { newestFirst, resolve, slug } from './pages.mjs'
import { miniSearch } from './search.mjs'

const site = process.env.SITE
const base = `/${site.split('/').at(-1)}/`

function files(directory = site) {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
}

/** The index as the browser loads it, with the settings of VitePress's search box. */
const chunk = files().find(file => /@localSearchIndexroot\..*\.js$/.test(file))
const { default: json } = await import(pathToFileURL(join(site, chunk)))
const index = MiniSearch.loadJSON(json, {
  fields: ['title', 'titles', 'text'],
  storeFields: ['title', 'titles'],
  searchOptions: miniSearch.searchOptions,
  ...miniSearch.options,
})

/** The pages that are found, best first. */
function found(query) {
  return [...new Set(index.search(query).map(({ id }) => id.slice(base.length).replace(/#.*/, '')))]
}

for (const [query, page] of Object.entries({
  'ttl': 'docs/holding-and-waiting.html',
  'which ttl': 'docs/holding-and-waiting.html',
  'wait': 'docs/holding-and-waiting.html',
  'timeout': 'docs/holding-and-waiting.html',
  'keep alive': 'docs/holding-and-waiting.html',
  'nightly': 'docs/guides/nightly-job.html',
  'nightly job': 'docs/guides/nightly-job.html',
  'cron': 'docs/guides/nightly-job.html',
  'scheduled': 'docs/guides/nightly-job.html',
  'once an hour': 'docs/guides/once-an-hour.html',
  'hourly': 'docs/guides/once-an-hour.html',
  'leader': 'docs/guides/one-leader.html',
  'exactly once': 'docs/guides/exactly-once.html',
  'idempotent': 'docs/guides/exactly-once.html',
  'lock a row': 'docs/guides/stock.html',
  'rate limit': 'docs/guides/rate-of-jobs.html',
  'semaphore': 'docs/guides/rate-of-jobs.html',
  'redisson': 'docs/migrate/redisson.html',
  'shedlock': 'integrations/shedlock-provider/',
  'fencing token': 'docs/data-safety.html',
  'force release': 'docs/operations.html',
  'guarantees': 'docs/guarantees.html',
  'compare': 'docs/compare.html',
  '租约': 'zh/',
})) {
  test(`"${query}" finds ${page} first`, () => assert.equal(found(query)[0], page))
}

test('a beginning of a word, a misspelt word and a question are found', () => {
  assert.equal(found('rediss')[0], 'docs/migrate/redisson.html')
  assert.equal(found('redison')[0], 'docs/migrate/redisson.html')
  assert.equal(found('how long should the ttl be')[0], 'docs/holding-and-waiting.html')
})

const pages = files().filter(file => file.endsWith('.html') && !file.startsWith('api/'))
const html = Object.fromEntries(pages.map(page => [page, readFileSync(join(site, page), 'utf8')]))

test('every link and anchor leads to something', () => {
  const broken = []
  for (const [page, text] of Object.entries(html)) {
    for (const [, href] of text.matchAll(/<a [^>]*?href="([^"]*)"/g)) {
      if (/^[a-z]+:/.test(href)) continue
      const [path, anchor] = href.split('#')
      const absolute = path.startsWith('/') ? path.slice(base.length) : path && join(dirname(page), path)
      const target = path === '' ? page : absolute === '' || absolute.endsWith('/') ? `${absolute}index.html` : absolute
      const there = existsSync(join(site, target))
      if (!there || anchor && !html[target].includes(` id="${decodeURIComponent(anchor)}"`)) broken.push(`${page}: ${href}`)
    }
  }
  assert.ok(pages.length > 70)
  assert.deepEqual(broken, [])
})

test('nothing is loaded from other places', () => {
  for (const [page, text] of Object.entries(html)) {
    const loaded = [...text.matchAll(/<(?:script|link|img)\b[^>]*?(?:src|href)="([^"]*)"/g)].map(match => match[1])
    assert.deepEqual(loaded.filter(address => /^(https?:)?\/\//.test(address)), [], page)
  }
  for (const style of files().filter(file => file.endsWith('.css'))) {
    assert.doesNotMatch(readFileSync(join(site, style), 'utf8'), /url\(["']?(https?:)?\/\/|@import/, style)
  }
})

test('the first page is the README, in English and in Chinese', () => {
  assert.match(html['index.html'], /<html lang="en"/)
  assert.match(html['zh/index.html'], /<html lang="zh-CN"/)
})

test('versions are in order, the newest first', () => {
  assert.deepEqual(['1.9.0', '1.10.0-SNAPSHOT', '1.10.0'].sort(newestFirst), ['1.10.0', '1.10.0-SNAPSHOT', '1.9.0'])
})

test('links lead to pages, directories to their README, and other files to the repository', () => {
  assert.equal(resolve('docs/compare.md', '../README.md#strategies'), '/#strategies')
  assert.equal(resolve('docs/compare.md', 'adr'), '/docs/adr/')
  assert.equal(resolve('integrations/kotlin/README.md', '../../docs/guides/stock.md#a'), '/docs/guides/stock.html#a')
  assert.equal(resolve('README.md', 'README.zh-CN.md'), '/zh/')
  assert.match(resolve('docs/compare.md', 'results.schema.json'), /^https:.*\/blob\/.*\/docs\/results\.schema\.json$/)
  assert.equal(slug('Orphaned transactions of `transactional`, 2nd'), 'orphaned-transactions-of-transactional-2nd')
})

test('pages of other programs are in the menu if they are there', { skip: !process.env.SITE_REPORTS && 'made without reports' }, () => {
  for (const file of ['study.html', 'api/index.html']) {
    assert.equal(existsSync(join(site, file)), html['index.html'].includes(`href="${base}${file}"`), file)
  }
})
