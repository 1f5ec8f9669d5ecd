import fc from 'fast-check'
import { shippedTierSlugs } from '#shared/contract/tier.ts'

const tier = fc.constantFrom(...shippedTierSlugs)

const way = fc.constantFrom(
  ...([
    'card',
    'declined, then card',
    'bank asks',
    'bank asks, refused',
    'bank asks, left',
    'PayPal',
    'PayPal, left',
  ] as const),
  ...(['card', 'left'] as const),
)
export type Way = typeof way extends fc.Arbitrary<infer Each> ? Each : never

const join = fc.record({ kind: fc.constant('join' as const), tier, way })
const joinByLink = fc.record({
  kind: fc.constant('join by link' as const),
  tier: fc.constantFrom('standard' as const, 'xl' as const),
  way,
  daysSince: fc.integer({ min: 1, max: 40 }),
})

const joinByYear = fc.record({
  kind: fc.constant('join by year' as const),
  tier,
  /** Pence. Its twelfth is seldom whole. */
  amount: fc.integer({ min: 100_000, max: 200_000 }),
})

const step = fc.oneof(
  { weight: 3, arbitrary: join },
  { weight: 2, arbitrary: joinByLink },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('advance' as const), days: fc.integer({ min: 1, max: 40 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('spoil card' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('repair card' as const), pays: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const), isNow: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('resume' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('change tier' as const), tier }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('undo' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('upgrade' as const),
      tier,
      answer: fc.constantFrom('complete' as const, 'fail' as const, 'left' as const),
      isSettled: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('change card' as const), way, isSettled: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pay open invoice' as const), way }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('stranger' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('refund' as const), part: fc.integer({ min: 1, max: 4 }) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('deliver' as const),
      /** Decides which waiting webhooks are delivered, and in which order. */
      draw: fc.nat(),
      copies: fc.integer({ min: 1, max: 2 }),
      isAtOnce: fc.boolean(),
    }),
  },
)

type Drawn<Of> = Of extends fc.Arbitrary<infer Each> ? Each : never
export type Step = Drawn<typeof step> | Drawn<typeof joinByYear>

export const history = fc.record({
  first: fc.oneof(
    { weight: 2, arbitrary: tier.map((chosen) => ({ kind: 'join' as const, tier: chosen, way: 'card' as const })) },
    { weight: 1, arbitrary: join },
    { weight: 1, arbitrary: joinByLink },
    { weight: 2, arbitrary: joinByYear },
  ),
  steps: fc.array(step, { minLength: 3, maxLength: 12 }),
  ending: fc.nat(),
})

export type History = typeof history extends fc.Arbitrary<infer Each> ? Each : never
