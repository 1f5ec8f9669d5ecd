// `npm test`: installs, runs every stage and prints its time, then names the slowest tests. The last line is always
// "N passed, N failed".
//   node scripts/test.mjs [--full] [stage …] [-- arguments for the unit and browser runners]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findBun, installPackages, launch, root } from './launch.mjs'

const slowestCount = 5
const { chosen, isFull, runnerArguments } = readArguments(process.argv.slice(2))
const reports = mkdtempSync(join(tmpdir(), 'alliance-test-'))
const running = new Set()
let isStopping = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => stopAll(signal))

await launch(async () => {
  try {
    return await main()
  } finally {
    rmSync(reports, { recursive: true, force: true })
  }
})

async function main() {
  const bun = findBun()
  const installed = await installPackages(bun)
  if (installed !== 0) return installed
  const stages = listStages(bun)
  const unknown = chosen.filter((name) => !stages.some((stage) => stage.name === name))
  if (unknown.length > 0) {
    console.error(`No stage ${unknown.join(', ')}. There are: ${stages.map(({ name }) => name).join(', ')}.`)
    return 2
  }
  const selected = stages.filter(({ name }) => chosen.length === 0 || chosen.includes(name))
  const counts = await runStages(selected)
  for (const { slowest } of selected) printSlowest(slowest)
  const passed = counts.reduce((sum, count) => sum + count.passed, 0)
  const failed = counts.reduce((sum, count) => sum + count.failed, 0)
  console.log(`${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

function listStages(bun) {
  const node = process.execPath
  const unitReport = join(reports, 'unit.json')
  const browserReport = join(reports, 'browser.json')
  const vitest = [bun, '--bun', 'node_modules/vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=json']
  return [
    { name: 'build', isQuiet: true, command: [bun, 'scripts/build.ts'] },
    { name: 'lint', isQuiet: true, command: [node, 'node_modules/@biomejs/biome/bin/biome', 'check', '.'] },
    { name: 'walls', isQuiet: true, command: [bun, 'scripts/walls.ts'] },
    { name: 'types', isQuiet: true, command: [node, 'node_modules/typescript/bin/tsc', '--noEmit', '--checkers', '1'] },
    { name: 'dead', isQuiet: true, command: [bun, '--bun', 'run', 'dead'] },
    {
      name: 'unit',
      command: [...vitest, `--outputFile.json=${unitReport}`, ...runnerArguments],
      // These are many short processes, so JSC's optimising tier costs more than it saves.
      env: { BUN_JSC_useFTLJIT: '0' },
      count: () => countVitest(readReport(unitReport)),
      slowest: { title: 'Slowest test files', read: () => timeTestFiles(readReport(unitReport)) },
    },
    {
      name: 'browser',
      prepare: () => ensureChromium(bun),
      command: [node, 'node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json', ...runnerArguments],
      env: { PLAYWRIGHT_JSON_OUTPUT_FILE: browserReport, BUN: bun },
      envBeside: { BROWSER_WORKERS: '2' },
      isHeldBeside: true,
      count: () => countPlaywright(readReport(browserReport)),
      slowest: { title: 'Slowest journeys', read: () => timeJourneys(readReport(browserReport)) },
    },
  ]
}

/**
 * The quiet stages run two at a time, one per core. The type check uses a single checker: each extra one infers the routes' types
 * again, and four take more than twice as long as one. The test runners only need the build, and share the cores with whatever's
 * left, since each alone leaves a quarter of them idle. The browser runner's output is printed at its end, so it doesn't mix with
 * the other's.
 */
async function runStages(stages) {
  const counts = []
  const run = async (stage) => void counts.push(await runStage(stage))
  const quiet = stages.filter(({ isQuiet }) => isQuiet)
  const runners = stages.filter(({ isQuiet }) => !isQuiet)
  const worker = async () => {
    for (let stage = quiet.shift(); stage; stage = quiet.shift()) await run(stage)
  }
  const runEach = () => Promise.all(runners.map((stage) => run(runners.length > 1 ? besideOthers(stage) : stage)))
  // The build comes first, if it was chosen.
  const built = quiet[0]?.name === 'build' ? run(quiet.shift()) : Promise.resolve()
  await Promise.all([worker(), built.then(worker), built.then(runEach)])
  return counts
}

function besideOthers(stage) {
  return { ...stage, env: { ...stage.env, ...stage.envBeside }, isHeld: stage.isHeldBeside }
}

async function runStage(stage) {
  const started = performance.now()
  const { code, output } = (await stage.prepare?.(stage)) ?? (await runCommand(stage))
  const count = stage.count?.() ?? { passed: 0, failed: 0 }
  // A static stage counts as one test. A runner that failed without a failing test (it didn't start) counts as one failure.
  if (!stage.count) count[code === 0 ? 'passed' : 'failed'] = 1
  else if (code !== 0 && count.failed === 0) count.failed = 1
  if (code !== 0 || stage.isHeld) process.stdout.write(output)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const detail = stage.count ? `  ${count.passed} passed, ${count.failed} failed` : ''
  console.log(`${count.failed === 0 ? 'ok    ' : 'FAILED'} ${stage.name.padEnd(8)}${seconds.padStart(6)} s${detail}`)
  return count
}

/**
 * A separate process group lets us end everything the command starts. A quiet stage's output is only printed if it fails, a held
 * one's at its end.
 */
function runCommand({ command: [program, ...args], env, isQuiet, isHeld }) {
  const output = isQuiet || isHeld ? 'pipe' : 'inherit'
  return new Promise((resolve) => {
    if (isStopping) return
    const child = spawn(program, args, {
      cwd: root,
      stdio: ['ignore', output, output],
      // A .env may hold real keys, which tests mustn't see. Libraries act on `CI`, so set it as in CI.
      env: { ...process.env, CI: 'true', BUN_OPTIONS: '--no-env-file', ...(isFull ? { FULL: '1' } : {}), ...env },
      detached: process.platform !== 'win32',
    })
    running.add(child)
    let printed = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text) => (printed += text))
    child.once('error', (error) => resolve({ code: 1, output: `${error.message}\n` }))
    child.once('close', (code) => {
      running.delete(child)
      resolve({ code: code ?? 1, output: printed })
    })
  })
}

/** Returns a failed result if no browser can be found or installed. */
async function ensureChromium(bun) {
  const { code, output } = await runCommand({ command: [bun, 'scripts/chromium.ts'], isQuiet: true })
  return code === 0 ? undefined : { code, output }
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** A skipped test counts as failed, unless the runner's arguments narrowed the run. */
function countVitest(report) {
  if (!report) return { passed: 0, failed: 1 }
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  )
  const skipped = runnerArguments.length > 0 ? 0 : report.numPendingTests + report.numTodoTests
  return { passed: report.numPassedTests, failed: report.numFailedTests + brokenFiles.length + skipped }
}

function countPlaywright(report) {
  if (!report) return { passed: 0, failed: 1 }
  const { expected, flaky, unexpected, skipped } = report.stats
  return { passed: expected + flaky, failed: unexpected + (runnerArguments.length > 0 ? 0 : skipped) }
}

function printSlowest(slowest) {
  const timed = slowest?.read() ?? []
  if (timed.length === 0) return
  console.log(slowest.title)
  for (const { name, ms } of timed.sort((one, other) => other.ms - one.ms).slice(0, slowestCount))
    console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${name}`)
}

/** A file's time is the sum of its tests, without loading modules. */
function timeTestFiles(report) {
  const files = report?.testResults ?? []
  return files.map(({ name, startTime, endTime }) => ({ name: relative(root, name), ms: endTime - startTime }))
}

function timeJourneys(report) {
  return (report?.suites ?? []).flatMap(journeysOf)
}

/** Suites nest: files and `describe` blocks are both suites. */
function journeysOf({ specs = [], suites = [] }) {
  const own = specs.map(({ file, title, tests }) => ({
    name: `${file}  ${title}`,
    ms: tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration, 0),
  }))
  return [...own, ...suites.flatMap(journeysOf)]
}

function readArguments(argv) {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  const own = argv.slice(0, end)
  return {
    chosen: own.filter((argument) => argument !== '--full'),
    isFull: own.includes('--full'),
    runnerArguments: argv.slice(end + 1),
  }
}

/** Ends the running commands, waits for them, and lets no more start. */
async function stopAll(signal) {
  isStopping = true
  const ends = [...running].map((child) => once(child, 'close'))
  for (const child of running) {
    try {
      process.kill(process.platform === 'win32' ? child.pid : -child.pid, signal)
    } catch {
      // It has just ended.
    }
  }
  await Promise.race([Promise.all(ends), delay(15_000)])
  rmSync(reports, { recursive: true, force: true })
  process.exit(signal === 'SIGINT' ? 130 : 143)
}
