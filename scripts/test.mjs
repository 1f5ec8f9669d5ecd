// `npm test`: installs, runs every stage and prints its time, runs what failed once more, then names the slowest tests. The last
// line is always "N passed, N failed".
//   npm test -- [--full] [--watch] [stage …] [file …] [-t title]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findBun, installPackages, launch, root } from './launch.mjs'
import { printSlowest } from './test-reports.mjs'
import { listStages, patternOf, stageNames, vitest } from './test-stages.mjs'

/** Up to this many failures may be the machine's doing, and run again. More of them mean that something is broken. */
const maxRerun = 20
const { chosen, isFull, isWatch, files, title } = readArguments(process.argv.slice(2))
const isNarrowed = files.length > 0 || title !== undefined
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
  if (isWatch) return await watch(bun)
  const selected = listStages({ bun, reports, files, title, isFull }).filter(({ name, isOfFullRun }) =>
    chosen.length === 0 ? isFull || !isOfFullRun : chosen.includes(name),
  )
  const counts = await runStages(selected)
  const unsteady = isNarrowed ? [] : await rerunFailed(selected)
  for (const { report, slowest } of selected) if (report) printSlowest(slowest, report.times())
  const passed = counts.reduce((sum, count) => sum + count.passed, unsteady.length)
  const failed = counts.reduce((sum, count) => sum + count.failed, -unsteady.length)
  printFailed(selected, unsteady)
  console.log(`${passed} passed, ${failed} failed`)
  return failed === 0 && (unsteady.length === 0 || process.env.CI !== '1') ? 0 : 1
}

/** The unit tests again at each change of a file, until Ctrl-C. */
async function watch(bun) {
  const args = [...files, ...(title === undefined ? [] : ['-t', title])]
  return (await runCommand({ command: [...vitest(bun), 'watch', ...args], isWatch: true })).code
}

/**
 * Runs what failed once more, alone, now that nothing else takes the cores. A test that passes then is unsteady, which is kept in
 * `dist/unsteady.jsonl`: a test named there three times in ten runs has a fault to mend.
 */
async function rerunFailed(stages) {
  const unsteady = []
  for (const stage of stages) {
    const failed = stage.report?.failed() ?? []
    if (failed.length === 0 || failed.length > maxRerun) continue
    console.log(`\nOnce more, alone: ${failed.length} of ${stage.name}`)
    const { report, ...again } = stage.rerun(failed)
    await runCommand(again)
    const passed = report.passed()
    unsteady.push(...failed.filter((test) => passed.has(test.name)))
  }
  const at = new Date().toISOString()
  mkdirSync(join(root, 'dist'), { recursive: true })
  for (const { name } of unsteady)
    appendFileSync(join(root, 'dist/unsteady.jsonl'), `${JSON.stringify({ at, name })}\n`)
  return unsteady
}

function printFailed(stages, unsteady) {
  const failed = stages.flatMap(({ report, hint = hintOf }) =>
    (report?.failed() ?? []).map((test) => ({ ...test, hint: hint(test) })),
  )
  const red = (line) =>
    console.log(process.stdout.isTTY || process.env.FORCE_COLOR ? `\u001b[31m${line}\u001b[39m` : line)
  for (const { name, hint } of failed) {
    red(`${unsteady.some((test) => test.name === name) ? 'unsteady' : 'failed  '}  ${name}`)
    console.log(`          ${hint}`)
  }
  if (unsteady.length > 0) red('Unsteady: failed beside the others, passed alone. With CI=1 that ends with 1.')
}

function hintOf(test) {
  return `npm test -- ${test.file} -t '${patternOf(test)}'`
}

/**
 * The quiet stages run two at a time, one per core. The type check uses a single checker: each extra one infers the routes' types
 * again, and four take more than twice as long as one. The test runners only need the build. With two cores they take turns: a
 * browser paints its pages for as long as it waits, so beside other work the journeys cost nearly twice as much.
 */
async function runStages(stages) {
  const counts = []
  const run = async (stage) => void counts.push(await runStage(stage))
  const quiet = stages.filter(({ isQuiet }) => isQuiet)
  const runners = stages.filter(({ isQuiet }) => !isQuiet)
  const worker = async () => {
    for (let stage = quiet.shift(); stage; stage = quiet.shift()) await run(stage)
  }
  const runEach = async () => {
    if (availableParallelism() >= 4) return await Promise.all(runners.map((stage) => run(beside(stage, runners))))
    for (const stage of runners) await run(stage)
  }
  // The build comes first, if it was chosen.
  const built = quiet[0]?.name === 'build' ? run(quiet.shift()) : Promise.resolve()
  await Promise.all([worker(), built.then(worker), built.then(runEach)])
  return counts
}

/** The journeys' lines come at their end, so that they don't mix with the unit tests'. */
function beside(stage, runners) {
  return runners.length > 1 && stage.name !== 'unit' ? { ...stage, isHeld: true } : stage
}

async function runStage(stage) {
  const started = performance.now()
  const { code, output } = (await prepare(stage)) ?? (await runCommand(stage))
  const count = stage.report?.count() ?? { passed: 0, failed: 0 }
  // A static stage counts as one test. A runner that failed without a failing test (it didn't start) counts as one failure.
  if (!stage.report) count[code === 0 ? 'passed' : 'failed'] = 1
  else if (code !== 0 && count.failed === 0) count.failed = 1
  if (code !== 0 || stage.isHeld) process.stdout.write(output)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const detail = stage.report ? `  ${count.passed} passed, ${count.failed} failed` : ''
  console.log(`${count.failed === 0 ? 'ok    ' : 'FAILED'} ${stage.name.padEnd(8)}${seconds.padStart(6)} s${detail}`)
  const lacks = stage.lacks?.()
  if (lacks) console.log(lacks)
  return count
}

/**
 * A separate process group lets us end everything the command starts. A quiet stage's output is only printed if it fails, a held
 * one's at its end.
 */
function runCommand({ command: [program, ...args], env, isQuiet, isHeld, isWatch }) {
  const output = isQuiet || isHeld ? 'pipe' : 'inherit'
  return new Promise((resolve) => {
    if (isStopping) return
    const child = spawn(program, args, {
      cwd: root,
      stdio: [isWatch ? 'inherit' : 'ignore', output, output],
      // A .env may hold real keys, which tests mustn't see. Libraries act on `CI`, so set it as in CI.
      env: {
        ...process.env,
        ...(isWatch ? {} : { CI: 'true' }),
        BUN_OPTIONS: '--no-env-file',
        ...(isFull ? { FULL: '1' } : {}),
        ...env,
      },
      detached: process.platform !== 'win32' && !isWatch,
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

/** Returns a failed result if what the stage needs can't be had. */
async function prepare({ needs }) {
  if (!needs) return undefined
  const { code, output } = await runCommand({ command: needs, isQuiet: true })
  return code === 0 ? undefined : { code, output }
}

/** A word that is no stage chooses files: journeys if it looks like one, else unit tests. */
function readArguments(argv) {
  const words = argv.filter((word) => word !== '--')
  const at = words.indexOf('-t')
  const [, title] = at < 0 ? [] : words.splice(at, 2)
  const stages = words.filter((word) => stageNames.includes(word))
  const files = words.filter((word) => !word.startsWith('--') && !stageNames.includes(word))
  const isJourney = files.some((file) => /e2e|\.spec\b/.test(file))
  const unknown = words.find((word) => word.startsWith('--') && word !== '--full' && word !== '--watch')
  if (unknown || (at >= 0 && title === undefined)) {
    console.error(`Usage: npm test -- [--full] [--watch] [${stageNames.join('|')} …] [file …] [-t title]`)
    process.exit(2)
  }
  const narrowed = files.length > 0 ? ['build', isJourney ? 'browser' : 'unit'] : stages
  return {
    chosen: stages.length > 0 ? stages : narrowed,
    isFull: words.includes('--full'),
    isWatch: words.includes('--watch'),
    files,
    title,
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
