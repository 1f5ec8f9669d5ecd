/**
 * `npm run browsers -- [browser …] [case …]`: what people do, in the browsers they have. Installs WebKit and Firefox, runs the cases
 * of `pwa/e2e/browsers` in both, and prints which passed where.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { browserPackages, installPackages, missingPackages } from './browser-packages.ts'
import { ensureChromium, findChromium } from './chromium.ts'

const everyBrowser = ['webkit', 'firefox', 'chromium']
const words = process.argv.slice(2).filter((word) => word !== '--')
const named = words.filter((word) => everyBrowser.includes(word))
const browsers = named.length > 0 ? named : ['webkit', 'firefox']

const missing = missingPackages(Object.values(browserPackages).flat())
if (missing.length > 0 && !installPackages(missing)) {
  console.error(`These packages are missing, and couldn’t be installed: ${missing.join(' ')}`)
  process.exit(1)
}
ensureChromium()
const build = Bun.spawnSync([process.execPath, 'scripts/build.ts'], { stdio: ['ignore', 2, 2] })
if (build.exitCode !== 0) process.exit(build.exitCode)

const folder = mkdtempSync(join(tmpdir(), 'alliance-browsers-'))
const file = process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ?? join(folder, 'report.json')
const run = Bun.spawn(
  [
    ...['node', 'node_modules/@playwright/test/cli.js', 'test', '--config=pwa/e2e/browsers/playwright.config.ts'],
    ...['--reporter=list,json', ...browsers.map((name) => `--project=${name}`)],
    ...words.filter((word) => !everyBrowser.includes(word)),
  ],
  {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      PLAYWRIGHT_JSON_OUTPUT_FILE: file,
      BUN: process.execPath,
      E2E_WHOLE_CHROMIUM: findChromium(),
    },
  },
)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => run.kill(signal))
const code = await run.exited

const Tests = v.array(v.object({ projectName: v.string(), status: v.string() }))
const Report = v.object({
  suites: v.array(v.object({ specs: v.array(v.object({ file: v.string(), title: v.string(), tests: Tests })) })),
})
const cases = v.parse(Report, JSON.parse(readFileSync(file, 'utf8'))).suites.flatMap(({ specs }) => specs)
rmSync(folder, { recursive: true })

const passes = (status: string | undefined) => status === 'expected'
console.log(`\n${browsers.map((name) => name.padEnd(10)).join('')}`)
for (const { title, file: path, tests } of cases) {
  const cells = browsers.map((name) => tests.find(({ projectName }) => projectName === name)?.status)
  const marks = cells.map((status) => (status === undefined ? '–' : passes(status) ? 'passed' : 'FAILED').padEnd(10))
  console.log(`${marks.join('')}${path}  ${title}`)
}
const all = cases.flatMap(({ tests }) => tests)
const passed = all.filter(({ status }) => passes(status)).length
console.log(`${passed} passed, ${all.length - passed} failed`)
process.exit(code)
