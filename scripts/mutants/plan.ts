import * as v from 'valibot'

export const planName = 'mutants-plan.json'

/** What the runner in the test process is told. */
export const Plan = v.object({
  /** Test files in the order they run, each with the numbers of the faults it's tried on. */
  tests: v.array(v.object({ path: v.string(), ids: v.array(v.number()) })),
  /** By their number: where each fault is, and whether it runs when its module is loaded. */
  faults: v.array(v.object({ path: v.string(), isStatic: v.boolean() })),
  /** With the tests that only the full run has. */
  isFull: v.boolean(),
  /** What the runner writes, a line each. */
  events: v.string(),
})
export type Plan = v.InferOutput<typeof Plan>

/** `start`: a fault is being tried, and takes at most `limit` milliseconds. `end`: what became of it in one test file. */
export const Event = v.variant('kind', [
  v.object({ kind: v.literal('worker'), pid: v.number() }),
  v.object({ kind: v.literal('start'), id: v.number(), limit: v.number() }),
  v.object({
    kind: v.literal('end'),
    id: v.number(),
    outcome: v.picklist(['killed', 'broken', 'survived', 'unreached']),
    by: v.string(),
  }),
  v.object({ kind: v.literal('unusable'), path: v.string(), tests: v.array(v.string()) }),
  v.object({ kind: v.literal('file'), path: v.string() }),
])
export type Event = v.InferOutput<typeof Event>
