import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { withNextPhase } from './schedules.ts'

const item = (more: object) => ({ billing_thresholds: null, discounts: [], metadata: null, tax_rates: [], ...more })
const schedule = {
  id: 'sub_sched_1',
  current_phase: { start_date: 1, end_date: 2 },
  phases: [
    {
      start_date: 1,
      end_date: 2,
      default_tax_rates: [],
      metadata: null,
      billing_cycle_anchor: null,
      trial_end: null,
      items: [
        item({
          price: 'price_addon',
          quantity: 3,
          metadata: { desk: 'yes' },
          tax_rates: [{ id: 'txr_zero' }],
          billing_thresholds: { usage_gte: 5 },
          discounts: [
            { coupon: null, discount: 'di_own', promotion_code: null },
            { coupon: { id: 'half' }, discount: null, promotion_code: null },
            { coupon: null, discount: null, promotion_code: 'promo_1' },
          ],
        }),
        item({
          price: 'price_tier',
          quantity: 2,
          tax_rates: [{ id: 'txr_other' }],
          discounts: [{ coupon: null, discount: 'di_tier', promotion_code: null }],
        }),
      ],
    },
  ],
} as unknown as Stripe.SubscriptionSchedule

test('a booked price leaves everything that owners gave an item in the dashboard; our rate replaces the tier’s own', () => {
  const next = {
    from: 'price_tier',
    periodEnd: null,
    price: 'price_xl',
    every: 'month' as const,
    restarts: false,
    taxRate: 'txr_vat',
    metadata: {},
    discounts: [],
  }
  const { phases } = withNextPhase(schedule, next)
  const addOn = {
    price: 'price_addon',
    quantity: 3,
    metadata: { desk: 'yes' },
    tax_rates: ['txr_zero'],
    billing_thresholds: { usage_gte: 5 },
    discounts: [{ discount: 'di_own' }, { coupon: 'half' }, { promotion_code: 'promo_1' }],
  }
  const tier = { quantity: 2, discounts: [{ discount: 'di_tier' }] }
  expect(phases[0]?.items).toEqual([addOn, { ...tier, price: 'price_tier', tax_rates: ['txr_other'] }])
  expect(phases[1]?.items).toEqual([{ ...tier, price: 'price_xl' }, addOn])
})
