import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Counted,
  movementOf,
  type RevenueStep,
  revenueSteps,
  type SubscriptionRevenue,
} from './revenue-changes.ts'

const now = '2026-06-12T07:40:00.000Z'
const monthly: SubscriptionRevenue = {
  id: 'sub_1',
  status: 'active',
  tierSlug: 'standard',
  yearlyNet: 25_000,
  created: '2026-03-01T09:00:00.000Z',
  trialEnd: null,
  currentPeriodStart: '2026-06-01T09:00:00.000Z',
  endedAt: null,
  cancellationReason: null,
  isDuplicate: false,
  isRecorded: false,
  upgradedAt: null,
  hasRenewed: false,
  hasUnpaidRenewal: false,
  firstPaidAt: '2026-03-01T09:05:00.000Z',
  lastPaidAt: '2026-06-01T09:00:00.000Z',
}
const ended = { status: 'canceled', endedAt: '2026-05-01T00:00:00.000Z' } as const
const short = (steps: RevenueStep[]) =>
  steps.map(({ kind, beforeYearly, afterYearly, at }) => `${kind} ${beforeYearly} ${afterYearly} ${at.slice(0, 10)}`)
const counted = (afterYearly: number, more: Partial<Counted> = {}): Counted => ({
  subscriptionId: 'sub_1',
  tierSlug: 'standard',
  afterYearly,
  at: '2026-03-01T09:05:00.000Z',
  ...more,
})

test.each([
  [{ before: 0, after: 1 }, 'new'],
  [{ before: 0, after: 1, hasCounted: true }, 'reactivation'],
  [{ before: 1, after: 2, hasCounted: true }, 'expansion'],
  [{ before: 2, after: 1, hasCounted: true }, 'contraction'],
  [{ before: 2, after: 0, hasCounted: true }, 'churn_voluntary'],
  [{ before: 2, after: 0, hasCounted: true, hasFailedToPay: true }, 'churn_failed_payment'],
  [{ before: 2, after: 2, hasCounted: true }, 'expansion'],
])('a change of %j is %s', (change, kind) => {
  expect(movementOf({ hasCounted: false, hasFailedToPay: false, ...change })).toBe(kind)
})

test('it begins to count with its first payment, and the same news again changes nothing', () => {
  const steps = revenueSteps(null, [monthly], now)
  expect(short(steps)).toEqual(['new 0 25000 2026-03-01'])
  expect(revenueSteps(steps[0] ?? null, [monthly], now)).toEqual([])
})

test('what never counted gives nothing', () => {
  for (const status of ['incomplete', 'incomplete_expired', 'trialing', 'canceled'] as const) {
    expect(revenueSteps(null, [{ ...monthly, status, firstPaidAt: null, lastPaidAt: null }], now)).toEqual([])
  }
})

test('a payment that was read before its subscription began gives nothing yet: nobody left and came back', () => {
  expect(revenueSteps(null, [{ ...monthly, status: 'incomplete' }], now)).toEqual([])
  expect(short(revenueSteps(null, [monthly], now))).toEqual(['new 0 25000 2026-03-01'])
})

test('after a trial it counts from the trial’s end, whether or not its payment has come', () => {
  const trial = { ...monthly, trialEnd: '2026-06-10T08:00:00.000Z', hasRenewed: true }
  const paid = { ...trial, firstPaidAt: '2026-06-10T09:00:00.000Z' }
  expect(short(revenueSteps(null, [paid], now))).toEqual(['new 0 25000 2026-06-10'])
  // It had paid before, so the trial only put a renewal off.
  expect(short(revenueSteps(null, [trial], now))).toEqual(['new 0 25000 2026-03-01'])
  const late = { ...trial, status: 'past_due', firstPaidAt: null, lastPaidAt: null } as const
  expect(short(revenueSteps(null, [late], now))).toEqual(['new 0 25000 2026-06-10'])
})

test('a discount counts from the day on which it is known, whenever the period began', () => {
  const discounted = { ...monthly, yearlyNet: 20_000 }
  expect(short(revenueSteps(counted(25_000), [discounted], now))).toEqual(['contraction 25000 20000 2026-06-12'])
  expect(short(revenueSteps(counted(20_000), [monthly], now))).toEqual(['expansion 20000 25000 2026-06-12'])
})

test('a price of another tier that nobody has paid yet counts from the period that asks for it', () => {
  const unpaid = { ...monthly, status: 'past_due', yearlyNet: 45_000, hasUnpaidRenewal: true } as const
  expect(short(revenueSteps(counted(25_000), [unpaid], now))).toEqual(['expansion 25000 45000 2026-06-01'])
})

test('a change of price counts from the period that has it', () => {
  const xl = { ...monthly, tierSlug: 'xl', yearlyNet: 45_000 } as const
  const [step] = revenueSteps(counted(25_000), [xl], now)
  expect(step).toMatchObject({
    kind: 'expansion',
    tierBefore: 'standard',
    tierSlug: 'xl',
    at: monthly.currentPeriodStart,
  })
  expect(short(revenueSteps(counted(45_000, { tierSlug: 'xl' }), [monthly], now))).toEqual([
    'contraction 45000 25000 2026-06-01',
  ])
})

test('a tier that changes after its payment moves no revenue, and is reported', () => {
  const [step, ...more] = revenueSteps(counted(25_000, { tierSlug: 'lite' }), [monthly], now)
  expect(step).toMatchObject({ beforeYearly: 25_000, afterYearly: 25_000, tierBefore: 'lite', tierSlug: 'standard' })
  expect(more).toEqual([])
})

test('it ends when the provider says, for the reason that it gives', () => {
  const end = (more: object) => short(revenueSteps(counted(25_000), [{ ...monthly, ...ended, ...more }], now))
  expect(end({ cancellationReason: 'cancellation_requested', hasUnpaidRenewal: true })).toEqual([
    'churn_voluntary 25000 0 2026-05-01',
  ])
  expect(end({ cancellationReason: 'payment_failed' })).toEqual(['churn_failed_payment 25000 0 2026-05-01'])
  expect(end({ hasUnpaidRenewal: true })).toEqual(['churn_failed_payment 25000 0 2026-05-01'])
  expect(end({ status: 'unpaid', endedAt: null })).toEqual(['churn_failed_payment 25000 0 2026-06-12'])
  expect(end({ status: 'paused', endedAt: null })).toEqual(['churn_voluntary 25000 0 2026-06-12'])
})

test('what ends is taken from the tier that it counted for, whatever the provider calls it by then', () => {
  const steps = revenueSteps(counted(12_500, { tierSlug: 'lite' }), [{ ...monthly, ...ended, tierSlug: 'xl' }], now)
  expect(steps).toMatchObject([
    { kind: 'churn_voluntary', beforeYearly: 12_500, afterYearly: 0, tierBefore: 'lite', tierSlug: 'lite' },
  ])
})

test('a subscription that was given up and is paid later counts again from the payment', () => {
  const given = counted(0, { at: '2026-05-20T00:00:00.000Z' })
  const steps = revenueSteps(given, [monthly], now)
  expect(short(steps)).toEqual(['reactivation 0 25000 2026-06-01'])
  expect(steps).toMatchObject([{ tierBefore: null, tierSlug: 'standard' }])
})

test('a whole membership that is read late yields all its changes, and those of the next one too', () => {
  const next: SubscriptionRevenue = {
    ...monthly,
    id: 'sub_2',
    tierSlug: 'lite',
    yearlyNet: 12_500,
    created: '2026-05-20T09:00:00.000Z',
    firstPaidAt: '2026-05-20T09:01:00.000Z',
  }
  const all = [next, { ...monthly, ...ended }]
  const expected = ['new 0 25000 2026-03-01', 'churn_voluntary 25000 0 2026-05-01', 'reactivation 0 12500 2026-05-20']
  expect(short(revenueSteps(null, all, now))).toEqual(expected)
  expect(short(revenueSteps(counted(25_000), all, now))).toEqual(expected.slice(1))
  expect(short(revenueSteps(counted(0, { at: ended.endedAt }), all, now))).toEqual(expected.slice(2))
})

test('no step is before the one before it', () => {
  const steps = revenueSteps(counted(25_000, { at: '2026-05-15T00:00:00.000Z' }), [{ ...monthly, ...ended }], now)
  expect(short(steps)).toEqual(['churn_voluntary 25000 0 2026-05-15'])
})

test('a second one that is withdrawn never counts; where the first was withdrawn, the other counts in its place', () => {
  const double = { ...monthly, ...ended, id: 'sub_2', created: '2026-04-01T00:00:00.000Z', isDuplicate: true }
  expect(short(revenueSteps(null, [monthly, double], now))).toEqual(['new 0 25000 2026-03-01'])
  const last = counted(25_000, { subscriptionId: 'sub_2' })
  const [step, ...more] = revenueSteps(last, [monthly, double], now)
  expect(step).toMatchObject({ subscriptionId: 'sub_1', beforeYearly: 25_000, afterYearly: 25_000 })
  expect(more).toEqual([])
  const over = { ...monthly, ...ended }
  // With no other subscription to replace it, the withdrawn one ends like any other.
  expect(short(revenueSteps(last, [over, double], now))).toEqual(['churn_voluntary 25000 0 2026-05-01'])
  expect(short(revenueSteps(step ?? null, [over, double], now))).toEqual(['churn_voluntary 25000 0 2026-05-01'])
})

const days = fc
  .integer({ min: 0, max: 400 })
  .map((day) => new Date(Date.UTC(2025, 5, 1) + day * 86_400_000).toISOString())
const subscriptionsOfSomebody = fc
  .array(
    fc.record({
      status: fc.constantFrom(...(['active', 'past_due', 'unpaid', 'paused', 'trialing', 'incomplete'] as const)),
      tierSlug: fc.constantFrom(...(['lite', 'standard', 'xl'] as const)),
      yearlyNet: fc.constantFrom(0, 12_500, 25_000, 45_000),
      created: days,
      firstPaidAt: fc.option(days, { nil: null }),
      hasRenewed: fc.boolean(),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((drawn) => drawn.toSorted((one, other) => (one.created < other.created ? -1 : 1)))

/** Only the newest may be live, as in the database; the earlier ones have ended. */
const asStored = (
  drawn: Pick<SubscriptionRevenue, 'created' | 'status'>[],
  seen: number,
  recorded: Set<string>,
): SubscriptionRevenue[] =>
  drawn.slice(0, seen).map((one, index) => ({
    ...monthly,
    id: `sub_${index}`,
    isRecorded: recorded.has(`sub_${index}`),
    lastPaidAt: null,
    currentPeriodStart: one.created,
    ...one,
    ...(index < seen - 1 ? { status: 'canceled' as const, endedAt: drawn[index + 1]?.created ?? null } : {}),
  }))

test('whenever the news comes, the steps follow on each other and lead to what counts now; again, there are none', () => {
  fc.assert(
    fc.property(subscriptionsOfSomebody, fc.array(fc.boolean(), { maxLength: 4 }), (drawn, heard) => {
      let last: Counted | null = null
      const recorded = new Set<string>()
      for (let seen = 1; seen <= drawn.length; seen += 1) {
        if (seen < drawn.length && !heard[seen]) continue
        const subscriptions = asStored(drawn, seen, recorded)
        for (const step of revenueSteps(last, subscriptions, now)) {
          expect(step.beforeYearly).toBe(last?.afterYearly ?? 0)
          expect(step.at >= (last?.at ?? '')).toBe(true)
          last = step
          recorded.add(step.subscriptionId)
        }
        const newest = subscriptions.at(-1)
        const counts = newest?.status === 'active' || newest?.status === 'past_due'
        expect(last?.afterYearly ?? 0).toBe(counts ? newest.yearlyNet : 0)
        expect(revenueSteps(last, asStored(drawn, seen, recorded), now)).toEqual([])
      }
    }),
  )
})

test('an upgrade counts from its payment, another tier otherwise from its period', () => {
  const period = { currentPeriodStart: '2026-06-01T09:00:00.000Z', tierSlug: 'xl', yearlyNet: 45_000 } as const
  const upgraded = { ...monthly, ...period, upgradedAt: '2026-06-09T09:00:00.000Z' }
  expect(short(revenueSteps(counted(25_000), [upgraded], now))).toEqual(['expansion 25000 45000 2026-06-09'])
  const renewed = { ...upgraded, upgradedAt: '2026-05-09T09:00:00.000Z' }
  expect(short(revenueSteps(counted(25_000), [renewed], now))).toEqual(['expansion 25000 45000 2026-06-01'])
})
