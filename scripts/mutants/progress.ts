// What's known so far, in dist/mutants.json, so that a run that was cut off goes on where it was.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import * as v from 'valibot'
import type { Drawn } from './groups.ts'

const file = 'dist/mutants.json'

const Result = v.object({
  where: v.string(),
  change: v.string(),
  /** Of the source, without which a result says nothing. */
  version: v.string(),
  outcome: v.picklist(['killed', 'broken', 'hung', 'survived', 'unreached']),
  by: v.string(),
  /** The test files that didn't notice it, with their version, in the run that isn't over. */
  tried: v.array(v.string()),
})
type Result = v.InferOutput<typeof Result>
const Results = v.record(v.string(), Result)
export type Progress = ReturnType<typeof openProgress>

export const isKilled = ({ outcome }: Pick<Result, 'outcome'>) => outcome !== 'survived' && outcome !== 'unreached'

export function openProgress(isFresh: boolean) {
  if (isFresh) rmSync(file, { force: true })
  const read = () => (existsSync(file) ? v.parse(Results, JSON.parse(readFileSync(file, 'utf8'))) : {})
  const known = read()
  const results: Record<string, Result> = {}
  function resultOf({ key, path, line, change, version }: Drawn): Result {
    const own = results[key] ?? known[key]
    const isCurrent = own?.version === version
    const result: Result = isCurrent
      ? own
      : { where: `${path}:${line}`, change, version, outcome: 'unreached', by: '', tried: [] }
    results[key] = result
    return result
  }
  /** The other group may be running too. */
  function save(): void {
    mkdirSync('dist', { recursive: true })
    writeFileSync(file, `${JSON.stringify({ ...read(), ...results }, null, 1)}\n`)
  }
  /** The tests may change before the next run, so what survived is tried again then. */
  function finish(drawn: readonly Drawn[]): void {
    for (const fault of drawn) resultOf(fault).tried = []
    save()
  }
  return { resultOf, save, finish }
}
