import fc from 'fast-check'
import { pricePeriods, shippedTierSlugs } from '#shared/contract/tier.ts'

const tier = fc.constantFrom(...shippedTierSlugs)
const every = fc.constantFrom(...pricePeriods)
/** Pence a month. */
const net = fc.integer({ min: 5_000, max: 60_000 })

/** Any price that there is at the time, offered or not. `isNamed`: the call names it, or else only its tier. */
const choice = { pick: fc.nat(), isNamed: fc.boolean() }

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

const joinAt = (pick: fc.Arbitrary<number>, by: fc.Arbitrary<Way>) =>
  fc.record({ kind: fc.constant('join' as const), ...choice, pick, way: by })
const joinByLinkAt = (pick: fc.Arbitrary<number>) =>
  fc.record({
    kind: fc.constant('join by link' as const),
    ...choice,
    pick,
    way,
    daysSince: fc.integer({ min: 1, max: 40 }),
  })

const joinByYear = fc.record({
  kind: fc.constant('join by year' as const),
  tier,
  /** Pence. Its twelfth is seldom whole. */
  amount: fc.integer({ min: 100_000, max: 200_000 }),
})

const ownersActs = [
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('add tier' as const),
      periods: fc.constantFrom(['month'] as const, ['year'] as const, pricePeriods),
      net,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('retire' as const, 'restore' as const, 'delete' as const),
      pick: fc.nat(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('set price' as const),
      /** Null: what the member pays by. */
      pick: fc.option(fc.nat(), { freq: 1 }),
      every,
      net,
      /** Days until it starts. */
      waits: fc.constantFrom(0, 0, 0, 1, 40),
      movesMembers: fc.constantFrom(true, true, false),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('stop price' as const), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('put off' as const) }) },
]

const step = fc.oneof(
  { weight: 3, arbitrary: joinAt(fc.nat(), way) },
  { weight: 2, arbitrary: joinByLinkAt(fc.nat()) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('advance' as const), days: fc.integer({ min: 1, max: 40 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('advance to renewal' as const),
      stops: fc.subarray([-62, -31, -30, -12, -7, -1, 0, 2], { minLength: 1 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('run jobs' as const) }) },
  ...ownersActs,
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('spoil card' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('repair card' as const), pays: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const), isNow: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('resume' as const) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('change' as const), ...choice }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('undo' as const) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('change today' as const),
      ...choice,
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
export type OwnersAct = Drawn<(typeof ownersActs)[number]['arbitrary']>
export type Step = Drawn<typeof step> | Drawn<typeof joinByYear>

/** The prices that are sold in the beginning: lite's month, and of the two others month and year. */
const atFirst = (min: number) => fc.integer({ min, max: 4 })

export const history = fc.record({
  first: fc.oneof(
    { weight: 3, arbitrary: joinAt(atFirst(0), fc.constant('card' as const)) },
    { weight: 1, arbitrary: joinAt(atFirst(0), way) },
    { weight: 1, arbitrary: joinByLinkAt(atFirst(1)) },
    { weight: 2, arbitrary: joinByYear },
  ),
  steps: fc.array(step, { minLength: 4, maxLength: 16 }),
  ending: fc.nat(),
})

export type History = typeof history extends fc.Arbitrary<infer Each> ? Each : never
