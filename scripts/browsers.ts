/**
 * `npm run browsers -- [browser …] [case …]`: what people do, in the browsers they have. Installs WebKit and Firefox, runs the cases
 * of `pwa/e2e/browsers` in both, and prints which passed where. `--write` runs them in Chromium too, and writes the table of
 * `docs/browsers.md`.
 */
import { randomInt } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { browserPackages, installPackages, missingPackages } from './browser-packages.ts'
import { ensureChromium, findChromium } from './chromium.ts'

const everyBrowser = ['webkit', 'firefox', 'chromium']
const given = process.argv.slice(2).filter((word) => word !== '--')
const isWritten = given.includes('--write')
const words = given.filter((word) => word !== '--write')
const named = words.filter((word) => everyBrowser.includes(word))
const browsers = isWritten ? everyBrowser : named.length > 0 ? named : ['webkit', 'firefox']
if (isWritten && words.length > 0) {
  console.error('`--write` runs all cases in all browsers.')
  process.exit(2)
}

const missing = missingPackages(Object.values(browserPackages).flat())
if (missing.length > 0 && !installPackages(missing)) {
  console.error(`These packages are missing, and couldn’t be installed: ${missing.join(' ')}`)
  process.exit(1)
}
ensureChromium()
const build = Bun.spawnSync([process.execPath, 'scripts/build.ts'], { stdio: ['ignore', 2, 2] })
if (build.exitCode !== 0) process.exit(build.exitCode)

// All pages in two browsers take five minutes, and a kept video one for each way in which a browser may store files.
const isWhole = isWritten || words.length > 0
const draw = (given: string | undefined, parts: number) =>
  isWhole ? '1/1' : (given ?? `${randomInt(parts) + 1}/${parts}`)
const drawn = {
  WALKS: draw(process.env.WALKS, 3),
  PAGES: draw(process.env.PAGES, 16),
  FILES: draw(process.env.FILES, 3),
  // On two cores all cases in both take ten minutes, most of it Firefox’s.
  FIREFOX: availableParallelism() < 4 ? draw(process.env.FIREFOX, 2) : '1/1',
}
const said = Object.entries(drawn).map(([name, part]) => `${name}=${part}`)
console.log(`What’s drawn of the pages, the ways to store files and the cases in Firefox: ${said.join(' ')}`)

const folder = mkdtempSync(join(tmpdir(), 'alliance-browsers-'))
const file = process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ?? join(folder, 'report.json')
const run = Bun.spawn(
  [
    ...['node', 'node_modules/@playwright/test/cli.js', 'test', '--config=pwa/e2e/browsers/playwright.config.ts'],
    ...['--reporter=list,json', ...browsers.map((name) => `--project=${name}`)],
    ...(isWhole ? [] : ['--grep-invert=@every-day']),
    ...words.filter((word) => !everyBrowser.includes(word)),
  ],
  {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      PLAYWRIGHT_JSON_OUTPUT_FILE: file,
      ...drawn,
      BUN: process.execPath,
      E2E_WHOLE_CHROMIUM: findChromium(),
    },
  },
)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => run.kill(signal))
const code = await run.exited

const Results = v.array(v.object({ duration: v.number() }))
const Tests = v.array(v.object({ projectName: v.string(), status: v.string(), results: Results }))
type Suite = { specs: Spec[]; suites?: Suite[] | undefined }
const Spec = v.object({ file: v.string(), title: v.string(), tests: Tests })
type Spec = v.InferOutput<typeof Spec>
const Suite: v.GenericSchema<Suite> = v.object({
  specs: v.array(Spec),
  suites: v.optional(v.array(v.lazy(() => Suite))),
})
const specsOf = ({ specs, suites = [] }: Suite): Spec[] => [...specs, ...suites.flatMap(specsOf)]
const { suites } = v.parse(v.object({ suites: v.array(Suite) }), JSON.parse(readFileSync(file, 'utf8')))
const cases = suites.flatMap(specsOf)
rmSync(folder, { recursive: true })

const passes = (status: string | undefined) => status === 'expected'
console.log(`\n${browsers.map((name) => name.padEnd(10)).join('')}`)
for (const { title, file: path, tests } of cases) {
  const cells = browsers.map((name) => tests.find(({ projectName }) => projectName === name)?.status)
  const marks = cells.map((status) => (status === undefined ? '–' : passes(status) ? 'passed' : 'FAILED').padEnd(10))
  console.log(`${marks.join('')}${path}  ${title}`)
}
if (isWritten) writeTable()
const all = cases.flatMap(({ tests }) => tests)
const passed = all.filter(({ status }) => passes(status)).length
console.log(`${passed} passed, ${all.length - passed} failed`)
process.exit(code)

/** From this run alone, between the page's two marks. */
function writeTable(): void {
  const page = 'docs/browsers.md'
  const secondsOf = ({ status, results }: Spec['tests'][number]) =>
    passes(status) ? `${Math.round(results.reduce((sum, { duration }) => sum + duration, 0) / 1000)} s` : '**failed**'
  const cellOf = (name: string, { tests }: Spec) => {
    const test = tests.find(({ projectName }) => projectName === name)
    return test === undefined ? '–' : secondsOf(test)
  }
  const versionOf = (name: string) =>
    Bun.spawnSync(['dpkg-query', '--show', name])
      .stdout.toString()
      .replaceAll(/^.*\t(\d+:)?|[-~+].*\n/g, '')
  const heads = [`WebKitGTK ${versionOf('libwebkit2gtk-4.1-0')}`, `Firefox ${versionOf('firefox-esr')}`, 'Chromium']
  const rows = cases.map((one) => [one.title.replaceAll('|', '\\|'), ...everyBrowser.map((name) => cellOf(name, one))])
  const table = [['Case', ...heads], ['---', ...heads.map(() => '---')], ...rows].map(
    (cells) => `| ${cells.join(' | ')} |`,
  )
  const day = new Date().toISOString().slice(0, 10)
  const text = readFileSync(page, 'utf8')
  const [before] = text.split('<!-- cases -->')
  const [, after] = text.split('<!-- /cases -->')
  const said = `One run of ${day} on ${navigator.hardwareConcurrency} cores, three cases at a time:`
  writeFileSync(page, `${before}<!-- cases -->\n\n${said}\n\n${table.join('\n')}\n\n<!-- /cases -->${after}`)
  Bun.spawnSync(['node_modules/.bin/biome', 'format', '--write', page], { stdio: ['ignore', 2, 2] })
}
