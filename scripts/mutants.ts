/**
 * Do the tests notice a fault? Puts small faults into a copy of the repository, one at a time, and runs the tests that reach it.
 * `bun scripts/mutants.ts [--group rules|services] [--seed N] [--only FILE] [--full] [--fresh]` goes on where the last run was cut off.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { constants, setPriority, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { Glob } from 'bun'
import { copyRepository } from './copy-repository.ts'
import { coveringTests } from './mutants/covering.ts'
import { withSwitches } from './mutants/faults.ts'
import { type Drawn, drawFaults, type Group, groups, hashOf, isGroup } from './mutants/groups.ts'
import type { Event, Plan } from './mutants/plan.ts'
import { runPlan } from './mutants/process.ts'
import { isKilled, openProgress, type Progress } from './mutants/progress.ts'

const wantedPercent = 85
const { values } = parseArgs({
  options: {
    group: { type: 'string' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    full: { type: 'boolean', default: false },
    fresh: { type: 'boolean', default: false },
  },
})
const names = values.group === undefined ? ['rules', 'services'] : [values.group]
const sources = readSources()
const testsFor = coveringTests(sources)

// It takes minutes, and should be in no one's way.
setPriority(constants.priority.PRIORITY_LOW)
const folder = mkdtempSync(join(tmpdir(), 'alliance-mutants-'))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
copyRepository(folder)
const progress = openProgress(values.fresh)
for (const name of names) {
  if (!isGroup(name)) throw new Error(`There's no group ${name}. Say rules or services.`)
  const drawn = drawFaults(name, values.seed, values.only)
  if (drawn.length === 0) continue
  await tryFaults(name, drawn)
  progress.finish(drawn)
  if (printResults(name, drawn, progress) < wantedPercent) process.exitCode = 1
}

function readSources(): ReadonlyMap<string, string> {
  const paths = [...new Glob('{api,cli,data,pwa,scripts,shared}/**/*.{ts,tsx}').scanSync('.')]
  const own = paths.filter((path) => !/^(pwa\/(dist|e2e)|data\/local)\/|\.gen\./.test(path))
  return new Map(own.map((path) => [path, readFileSync(path, 'utf8')]))
}

/** The process is started again after a fault that ended it, until each fault was tried on all its test files. */
async function tryFaults(group: Group, drawn: readonly Drawn[]): Promise<void> {
  const numbered = drawn.map((fault, id) => ({ ...fault, id }))
  for (const [path, faults] of Map.groupBy(numbered, (fault) => fault.path))
    writeFileSync(join(folder, path), withSwitches(sources.get(path) ?? '', faults))
  const order = new Map(drawn.map(({ path }) => [path, testsFor(path).slice(0, groups[group].most)]))
  let plan = planOf(group, drawn, order)
  while (plan.tests.length > 0) {
    const { output, left } = await runPlan(folder, plan, (event) => hear(event, drawn, plan))
    if (left) settle(drawn, left.id, left.outcome, 'the process ended')
    progress.save()
    const next = planOf(group, drawn, order)
    if (!left && isSame(next, plan)) throw new Error(`The tests don't run.\n${output}`)
    plan = next
  }
}

function isSame(one: Plan, other: Plan): boolean {
  return JSON.stringify(one.tests) === JSON.stringify(other.tests)
}

/**
 * What hasn't been tried, nearest test files first. While a rule has a test beside it left, only those: they're the quick ones, and
 * notice most.
 */
function planOf(group: Group, drawn: readonly Drawn[], order: ReadonlyMap<string, string[]>): Plan {
  const left = drawn.flatMap((fault, id) => {
    const { tried, ...result } = progress.resultOf(fault)
    if (isKilled(result)) return []
    const tests = order.get(fault.path) ?? []
    return tests.flatMap((path, place) =>
      tried.includes(triedAs(path)) ? [] : [{ id, path, place, isBeside: dirname(path) === dirname(fault.path) }],
    )
  })
  const beside = left.filter((trial) => group === 'rules' && trial.isBeside)
  const tests = [...Map.groupBy(beside.length > 0 ? beside : left, ({ path }) => path)].map(([path, trials]) => ({
    path,
    ids: trials.map(({ id }) => id),
    // What's near many faults comes first.
    nearness: trials.reduce((sum, { place }) => sum + 1 / (1 + place), 0),
  }))
  return {
    tests: tests.toSorted((one, other) => other.nearness - one.nearness).map(({ path, ids }) => ({ path, ids })),
    faults: drawn.map(({ path, isStatic }) => ({ path, isStatic })),
    isFull: values.full,
    events: join(folder, 'mutants-events.jsonl'),
  }
}

function hear(event: Event, drawn: readonly Drawn[], plan: Plan): void {
  if (event.kind === 'unusable') console.error(`${event.path} fails as it is: ${event.tests.join(', ')}`)
  if (event.kind === 'end') settle(drawn, event.id, event.outcome, event.by)
  if (event.kind !== 'file') return
  for (const id of plan.tests.find(({ path }) => path === event.path)?.ids ?? []) {
    const fault = drawn[id]
    if (fault) noteTried(fault, event.path)
  }
  progress.save()
  const killed = drawn.filter((fault) => isKilled(progress.resultOf(fault))).length
  console.error(`${new Date().toTimeString().slice(0, 8)}  ${killed} of ${drawn.length}  ${event.path}`)
}

/** A test file that was changed is another one. */
function triedAs(path: string): string {
  return `${path} ${hashOf(sources.get(path) ?? '')}${values.full ? ' full' : ''}`
}

function noteTried(fault: Drawn, path: string): void {
  const { tried } = progress.resultOf(fault)
  if (!tried.includes(triedAs(path))) tried.push(triedAs(path))
}

/** Surviving one test file says more than not being reached by another. */
function settle(
  drawn: readonly Drawn[],
  id: number,
  outcome: ReturnType<Progress['resultOf']>['outcome'],
  by: string,
): void {
  const fault = drawn[id]
  if (!fault) return
  const result = progress.resultOf(fault)
  if (outcome === 'survived' || outcome === 'unreached') noteTried(fault, by)
  if (outcome !== 'unreached') Object.assign(result, { outcome, by })
}

function printResults(group: Group, drawn: readonly Drawn[], { resultOf }: Progress): number {
  const results = drawn.map(resultOf)
  const killed = results.filter(isKilled)
  const percent = (100 * killed.length) / results.length
  const count = (outcome: string) => results.filter((result) => result.outcome === outcome).length
  for (const { where, change, outcome } of results
    .filter((result) => !isKilled(result))
    .toSorted((one, other) => (one.where < other.where ? -1 : 1)))
    console.log(`${outcome.padEnd(9)}  ${where}  ${change}`)
  console.log(
    `${group}: ${killed.length} of ${results.length} killed (${percent.toFixed(1)}%), ${count('broken')} of them broken, ${count('hung')} hung`,
  )
  return percent
}
