import * as v from 'valibot'
import { usageError } from './exit-codes.ts'

/** A dry run's change: `argv` repeats it on `server` (null: the data folder), as long as `facts` are the same. */
export const Plan = v.object({
  plan: v.literal(1),
  command: v.string(),
  argv: v.array(v.string()),
  server: v.nullable(v.string()),
  question: v.string(),
  facts: v.unknown(),
})
export type Plan = v.InferOutput<typeof Plan>

export function parsePlan(text: string): Plan {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Plan), text)
  if (!parsed.success) throw usageError('This isn’t a plan. Save one with --dry-run --json > plan.json.')
  return parsed.output
}

export const changedSince = 'Something has changed since this plan was made.'
