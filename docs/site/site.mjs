// The program of ./site; usage.txt explains the options.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { home, newestFirst, reports, version } from './pages.mjs'

const project = join(home, 'docs/site')

function fail(status, message) {
  console.error(`site: ${message}`)
  process.exit(status)
}

function options() {
  const flag = { type: 'boolean', default: false }
  const value = { type: 'string' }
  try {
    return parseArgs({
      options: { out: value, base: { type: 'string', default: '/' }, reports: value, pages: flag, serve: flag, check: flag },
    }).values
  } catch (e) {
    return fail(2, `${e.message} (see --help)`)
  }
}

/** Runs another program. Only its errors and its progress are shown. */
function run(what, command, ...args) {
  console.error(`site: making ${what}`)
  const { status } = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) fail(status === 3 ? 3 : 2, `${what} could not be made: exit status ${status}`)
}

function madeReports() {
  const directory = join(home, 'target/site-reports')
  mkdirSync(directory, { recursive: true })
  run('the Javadoc', join(home, 'docs/site/javadoc.sh'), join(directory, 'api'))
  run('the study', join(home, 'study'), '--seeds', '1', '--out', directory)
  return directory
}

/** Writes the list of the versions that all of them show, and a page that leads to the newest. */
function writeVersions(out) {
  const versions = readdirSync(out).filter(name => existsSync(join(out, name, 'hashmap.json'))).sort(newestFirst)
  writeFileSync(join(out, 'versions.json'), JSON.stringify(versions))
  writeFileSync(join(out, 'index.html'), `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=${versions[0]}/"><title>mongo-locks</title></head>
<body><a href="${versions[0]}/">mongo-locks ${versions[0]}</a></body></html>
`)
}

const { out = join(home, 'target', 'site'), base, reports: given, pages, serve, check } = options()
const root = check ? join(home, 'target/site-check') : resolve(out)
const shown = given ? resolve(given) : pages || check ? undefined : madeReports()
if (shown) process.env.SITE_REPORTS = shown
if (check) rmSync(root, { recursive: true, force: true })

const { build } = await import('vitepress')
const directory = join(root, version)
await build(project, { outDir: directory, base: `/${base}/${version}/`.replace(/\/+/g, '/') })
  .catch(e => fail(1, e.message))
for (const file of Object.keys(reports).map(each => each.replace('/index.html', ''))) {
  if (shown && existsSync(join(shown, file))) cpSync(join(shown, file), join(directory, file), { recursive: true })
}
writeVersions(root)
console.log(`Written: ${join(directory, 'index.html')}`)

if (check) {
  const { status } = spawnSync(process.execPath, ['--test', join(project, 'site.test.mjs')], { stdio: 'inherit', env: { ...process.env, SITE: directory } })
  process.exit(status)
} else if (serve) {
  const { preview } = await import('vite')
  const server = await preview({ root: project, base, appType: 'mpa', configFile: false, build: { outDir: root } })
  server.printUrls()
}
