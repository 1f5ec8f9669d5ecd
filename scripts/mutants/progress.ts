// What's known so far, in dist/mutants.json, so that a run that was cut off goes on where it was.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
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
  /** The test files that didn't notice it, in the run that isn't over. */
  tried: v.array(v.string()),
})
type Result = v.InferOutput<typeof Result>
const Results = v.record(v.string(), Result)
export type Progress = ReturnType<typeof openProgress>

export const isKilled = ({ outcome }: Pick<Result, 'outcome'>) => outcome !== 'survived' && outcome !== 'unreached'

export function openProgress(isFresh: boolean) {
  const results = isFresh || !existsSync(file) ? {} : v.parse(Results, JSON.parse(readFileSync(file, 'utf8')))
  function resultOf({ key, path, line, change, version }: Drawn): Result {
    const known = results[key]
    if (known?.version === version) return known
    const result: Result = { where: `${path}:${line}`, change, version, outcome: 'unreached', by: '', tried: [] }
    results[key] = result
    return result
  }
  function save(): void {
    mkdirSync('dist', { recursive: true })
    writeFileSync(file, `${JSON.stringify(results, null, 1)}\n`)
  }
  /** The tests may change before the next run, so what survived is tried again then. */
  function finish(drawn: readonly Drawn[]): void {
    for (const fault of drawn) resultOf(fault).tried = []
    save()
  }
  return { resultOf, save, finish }
}
