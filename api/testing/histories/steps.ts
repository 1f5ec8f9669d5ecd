import fc from 'fast-check'
import { tierSlugs } from '#shared/contract/tier.ts'

const tier = fc.constantFrom(...tierSlugs)

/** Something that happens to a member, to his card, to time, or to the news of it. */
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('join' as const), tier, isDeclinedFirst: fc.boolean() }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('advance' as const), days: fc.integer({ min: 1, max: 40 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('spoil card' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('mend card' as const), pays: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const), isNow: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('resume' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('change tier' as const), tier }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('refund' as const), part: fc.integer({ min: 1, max: 4 }) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('deliver' as const),
      /** Which of the events that wait, in which order, is drawn from this. */
      draw: fc.nat(),
      copies: fc.integer({ min: 1, max: 2 }),
      isAtOnce: fc.boolean(),
    }),
  },
)

export type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never

/** What happens after somebody has joined, and in which order the last news comes in. */
export const history = fc.record({
  first: tier,
  steps: fc.array(step, { minLength: 3, maxLength: 12 }),
  ending: fc.nat(),
})

export type History = typeof history extends fc.Arbitrary<infer Each> ? Each : never
