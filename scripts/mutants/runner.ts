// Runs in the test process. A test file runs once as it is, which shows the faults that each of its tests reaches. Then it runs
// again for each fault no test has noticed yet: only the tests that reach it, until one fails. All modules stay loaded for that.
import { appendFileSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import * as v from 'valibot'
import { type RunnerTestCase, type RunnerTestFile, TestRunner } from 'vitest'
import { type Event, Plan, planName } from './plan.ts'
import { switchOff, switchOn, takePasses } from './switches.ts'
import { forget, isLoaded, runChosen, testsOf, type Verdict } from './trial.ts'

const root = process.cwd()
const plan = v.parse(Plan, JSON.parse(readFileSync(join(root, planName), 'utf8')))
const emit = (event: Event) => appendFileSync(plan.events, `${JSON.stringify(event)}\n`)
const killed = new Set<number>()
/** Passed while modules were loaded: to see these faults, their modules have to be loaded again. */
const atLoad = new Set(plan.faults.flatMap(({ isStatic }, id) => (isStatic ? [id] : [])))

emit({ kind: 'worker', pid: process.pid })

export default class FaultFinder extends TestRunner {
  /** Per test. Those of hooks count for every test of the file. */
  reached = new Map<string, Set<number>>()
  byHooks = new Set<number>()
  passes = new Map<number, number>()
  /** A test of this file needs those before it. */
  isOrdered = false

  override onCollectStart(file: RunnerTestFile): void {
    super.onCollectStart(file)
    this.reached.clear()
    this.byHooks.clear()
    this.passes.clear()
    this.isOrdered = false
    takePasses()
  }

  /** A file that's left with nothing to try needn't be loaded. Its setup comes before we hear which file it's for. */
  override importFile(path: string, source: 'collect' | 'setup'): unknown {
    return source === 'collect' && pendingOf(path).length === 0 ? undefined : super.importFile(path, source)
  }

  onCollected(files: RunnerTestFile[]): void {
    for (const id of takePasses().keys()) atLoad.add(id)
    for (const file of files) if (pendingOf(file.filepath).length === 0) file.mode = 'skip'
  }

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    this.notePasses(this.byHooks)
    await super.onBeforeRunTask(test)
  }

  override onAfterRunTask(test: RunnerTestCase): void {
    super.onAfterRunTask(test)
    const ids = new Set<number>()
    this.notePasses(ids)
    this.reached.set(test.id, ids)
  }

  override async onAfterRunFiles(files: RunnerTestFile[]): Promise<void> {
    this.notePasses(this.byHooks)
    super.onAfterRunFiles(files)
    for (const file of files) await this.tryFaults(file)
  }

  notePasses(ids: Set<number>): void {
    for (const [id, count] of takePasses()) {
      ids.add(id)
      this.passes.set(id, (this.passes.get(id) ?? 0) + count)
    }
  }

  async tryFaults(file: RunnerTestFile): Promise<void> {
    const tests = testsOf(file).filter(({ result }) => result?.state === 'pass' || result?.state === 'fail')
    if (file.result?.state === 'fail' && tests.length === 0 && pendingOf(file.filepath).length > 0)
      emit({ kind: 'unusable', path: pathOf(file), tests: ['all of it'] })
    const unusable = tests.filter(({ result }) => result?.state === 'fail').map(({ name }) => name)
    if (unusable.length > 0) emit({ kind: 'unusable', path: pathOf(file), tests: unusable })
    const usable = tests.filter(({ result }) => result?.state === 'pass')
    // Those that load modules again come last.
    const pending = pendingOf(file.filepath).toSorted(
      (one, other) => Number(atLoad.has(one)) - Number(atLoad.has(other)),
    )
    for (const id of pending) await this.tryFault(file, usable, id)
    emit({ kind: 'file', path: pathOf(file) })
  }

  /** The tests of the file that may notice a fault. */
  chooseTests(tests: RunnerTestCase[], id: number): RunnerTestCase[] {
    if (atLoad.has(id)) return isLoaded(this, join(root, plan.faults[id]?.path ?? '')) ? tests : []
    if (this.byHooks.has(id)) return tests
    const last = tests.findLastIndex((test) => this.reached.get(test.id)?.has(id))
    if (this.isOrdered) return tests.slice(0, last + 1)
    return tests.filter((test) => this.reached.get(test.id)?.has(id))
  }

  async tryFault(file: RunnerTestFile, tests: RunnerTestCase[], id: number): Promise<void> {
    const chosen = this.chooseTests(tests, id)
    if (chosen.length === 0) return emit({ kind: 'end', id, outcome: 'unreached', by: pathOf(file) })
    const { failed, isBroken } = await this.run(file, chosen, id)
    if (!failed) return emit({ kind: 'end', id, outcome: 'survived', by: pathOf(file) })
    const isSound = await this.isSoundWithout(file, chosen, failed.id)
    // The test alone fails without the fault too. If the whole file doesn't, its tests need one another.
    if (!isSound && !this.isOrdered && !(await this.run(file, tests)).failed) {
      this.isOrdered = true
      return this.tryFault(file, tests, id)
    }
    killed.add(id)
    emit({ kind: 'end', id, outcome: isBroken ? 'broken' : 'killed', by: `${pathOf(file)}: ${failed.name}` })
    // The fault left something behind that breaks what follows, so this process is of no more use.
    if (!isSound) process.kill(process.pid, 'SIGKILL')
  }

  async isSoundWithout(file: RunnerTestFile, chosen: RunnerTestCase[], failedId: string): Promise<boolean> {
    const at = chosen.findIndex((test) => test.id === failedId)
    const again = at < 0 ? chosen : chosen.slice(this.isOrdered ? 0 : at, at + 1)
    return (await this.run(file, again)).failed === undefined
  }

  /** With a fault, or as it is. */
  async run(file: RunnerTestFile, tests: RunnerTestCase[], id?: number): Promise<Verdict> {
    const took = tests.map(({ result }) => result?.duration ?? 0)
    // What hangs costs this long. The machine may be busier than it was.
    const longest = 10_000 + 4 * Math.max(...took)
    const path = id !== undefined && atLoad.has(id) ? join(root, plan.faults[id]?.path ?? '') : undefined
    if (id !== undefined) {
      emit({ kind: 'start', id, limit: 60_000 + longest + 4 * took.reduce((sum, each) => sum + each, 0) })
      switchOn(id, 100_000 + 100 * (this.passes.get(id) ?? 0))
    }
    if (path) forget(this, path)
    try {
      const testIds = tests.map((test) => test.id)
      return await runChosen(this, { filepath: file.filepath, fileTags: file.tags ?? [], testIds }, longest)
    } finally {
      switchOff()
      if (path) forget(this, path)
    }
  }
}

const pathOf = ({ filepath }: Pick<RunnerTestFile, 'filepath'>) => relative(root, filepath)
const pendingOf = (filepath: string) =>
  (plan.tests.find(({ path }) => path === pathOf({ filepath }))?.ids ?? []).filter((id) => !killed.has(id))
