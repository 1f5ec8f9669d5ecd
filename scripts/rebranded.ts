// Proves that no test depends on the texts in data/content: runs the tests on a copy of the repository with every editable text
// changed. Only the test of the shipped texts may fail there. bun scripts/rebranded.ts [unit|browser] [arguments for the runner]
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { copyRepository } from './copy-repository.ts'

const shippedTexts = ['texts', 'privacy'].map((name) => `api/features/site/content/shipped-${name}.test.ts`)

/** Entries that aren't free text: a path, an address, a claim's name, a day of the week. */
const fixedEntries = new Set(['id', 'files', 'image', 'path', 'chat', 'claim', 'callDay', 'updated'])

const rotations = ['aeiou', 'AEIOU', '0123456789']

function rotate(letter: string): string {
  const letters = rotations.find((rotation) => rotation.includes(letter)) ?? letter
  return letters.charAt((letters.indexOf(letter) + 1) % letters.length)
}

/**
 * "More time" becomes "Muri tomi": the same length, so the layout holds, and different texts stay different. Keeps placeholders,
 * link targets and prices, since the tiers cost what they cost.
 */
const rebrand = (text: string) =>
  text.replace(/\{[\w.]+\}|£[\d,]+|\]\([^)]*\)|[aeiou\d]/gi, (part) => (part.length === 1 ? rotate(part) : part))

/** Changes every text, and numbers above 5 (ratings stay), such as a year. */
function rebrandAll(content: unknown, name = ''): unknown {
  if (fixedEntries.has(name)) return content
  // As if an owner had replaced the samples.
  if (name === 'isSample') return false
  if (typeof content === 'string') return rebrand(content)
  if (typeof content === 'number') return content > 5 ? content + 1 : content
  if (Array.isArray(content)) return content.map((part) => rebrandAll(part))
  if (typeof content !== 'object' || content === null) return content
  return Object.fromEntries(Object.entries(content).map(([key, part]) => [key, rebrandAll(part, key)]))
}

function copyRebranded(folder: string): void {
  copyRepository(folder)
  const pages = readdirSync('data/content/pages').map((name) => `pages/${name}`)
  for (const name of ['site.json', ...pages]) {
    const content: unknown = JSON.parse(readFileSync(join('data/content', name), 'utf8'))
    writeFileSync(join(folder, 'data/content', name), JSON.stringify(rebrandAll(content), null, 2))
  }
}

function run(folder: string, command: string[], env: Record<string, string> = {}): number {
  const { exitCode } = Bun.spawnSync(command, {
    cwd: folder,
    stdout: 'inherit',
    stderr: 'inherit',
    env: { ...process.env, BUN_OPTIONS: '--no-env-file', ...env },
  })
  return exitCode
}

const UnitReport = v.object({
  testResults: v.array(
    v.object({
      name: v.string(),
      status: v.string(),
      assertionResults: v.array(v.object({ status: v.string(), fullName: v.string() })),
    }),
  ),
})

function runUnit(folder: string, runnerArguments: string[]): number {
  const report = join(folder, 'unit.json')
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=json']
  run(folder, [process.execPath, '--bun', ...vitest, `--outputFile.json=${report}`, ...runnerArguments])
  const { testResults } = v.parse(UnitReport, JSON.parse(readFileSync(report, 'utf8')))
  const dependent = testResults
    .map(({ name, ...file }) => ({ ...file, name: name.slice(folder.length + 1) }))
    .filter(({ name, status }) => status === 'failed' && !shippedTexts.includes(name))
    .flatMap(({ name, assertionResults }) => [
      name,
      ...assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => `  ${fullName}`),
    ])
  console.log(dependent.length === 0 ? 'No test depends on the texts.' : `Failed:\n${dependent.join('\n')}`)
  return dependent.length === 0 ? 0 : 1
}

function runBrowser(folder: string, runnerArguments: string[]): number {
  const built = run(folder, [process.execPath, 'scripts/build.ts'])
  if (built !== 0) return built
  return run(folder, ['node', 'node_modules/@playwright/test/cli.js', 'test', ...runnerArguments], {
    BUN: process.execPath,
  })
}

const [stage = 'unit', ...runnerArguments] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'alliance-rebranded-'))
try {
  copyRebranded(folder)
  process.exitCode = stage === 'browser' ? runBrowser(folder, runnerArguments) : runUnit(folder, runnerArguments)
} finally {
  if (!process.env.KEEP) rmSync(folder, { recursive: true, force: true })
}
