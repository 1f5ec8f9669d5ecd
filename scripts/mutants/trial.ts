// One run of chosen tests of a file, within a process that has run it before.
import type { EvaluatedModules } from 'vite/module-runner'
import { type RunnerTask, type RunnerTestCase, TestRunner, vi } from 'vitest'
import { startTests } from 'vitest/internal/browser'

export type Chosen = { filepath: string; fileTags: string[]; testIds: string[] }
export type Verdict = { failed?: { id: string; name: string }; isBroken: boolean }

/** Each run of the setup files wraps these once more. */
const unwrapped = { waitFor: vi.waitFor, hash: Bun.password.hash }
const patience = 5_000

class Trial extends TestRunner {
  failed: RunnerTask | undefined

  override onAfterRunTask(test: RunnerTestCase): void {
    super.onAfterRunTask(test)
    if (test.result?.state !== 'fail') return
    this.failed ??= test
    this.cancel('test-failure')
  }
}

export const testsOf = (task: RunnerTask): RunnerTestCase[] =>
  task.type === 'test' ? [task] : task.tasks.flatMap(testsOf)

/** Stops at the first failure. No reporter hears of it. */
export async function runChosen(runner: TestRunner, chosen: Chosen, testTimeout: number): Promise<Verdict> {
  const timeouts = { testTimeout, hookTimeout: testTimeout + patience }
  const trial = new Trial({ ...runner.config, ...timeouts })
  for (const inner of ['moduleRunner', '_otel'])
    Object.defineProperty(trial, inner, { value: Reflect.get(runner, inner) })
  vi.waitFor = unwrapped.waitFor
  Bun.password.hash = unwrapped.hash
  const [file] = await startTests([chosen], trial)
  vi.useRealTimers()
  vi.resetConfig()
  vi.restoreAllMocks()
  if (!file) throw new Error(`${chosen.filepath} wasn't run.`)
  const failed = trial.failed ?? (file.result?.state === 'fail' ? file : undefined)
  const isBroken = file.tasks.length === 0 && failed === file
  return failed ? { failed: { id: failed.id, name: failed.name }, isBroken } : { isBroken }
}

const modulesOf = (runner: TestRunner): EvaluatedModules =>
  Reflect.get(Reflect.get(runner, 'moduleRunner'), 'evaluatedModules')

export const isLoaded = (runner: TestRunner, path: string) =>
  [...(modulesOf(runner).getModulesByFile(path) ?? [])].some(({ evaluated }) => evaluated)

/** The next import loads it again, with everything that imports it. */
export function forget(runner: TestRunner, path: string): void {
  const modules = modulesOf(runner)
  const waiting = [...(modules.getModulesByFile(path) ?? [])]
  const forgotten = new Set(waiting)
  for (let module = waiting.pop(); module; module = waiting.pop()) {
    Object.assign(module, { evaluated: false, promise: undefined, exports: undefined })
    for (const id of module.importers) {
      const importer = modules.getModuleById(id)
      if (!importer || forgotten.has(importer)) continue
      forgotten.add(importer)
      waiting.push(importer)
    }
  }
}
