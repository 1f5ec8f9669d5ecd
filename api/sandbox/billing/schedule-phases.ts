import type { Schedule, SchedulePhase, Subscription, SubscriptionItem } from '#api/sandbox/store/billing-objects.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import { newId } from '#api/sandbox/store/ids.ts'
import { discountOfCoupon, isRedeemable, itemRedeemer, type Redeemer, replaceDiscounts } from './discounts.ts'
import { mergeMetadata } from './metadata.ts'
import { changeSchedule, closeSchedule, currentPhase, insertSchedule, scheduleOf } from './schedule-state.ts'
import { withPrice } from './subscription-draft.ts'
import { changeSubscription, itemOf } from './subscription-state.ts'

export const unusedPhaseFields = {
  add_invoice_items: [],
  application_fee_percent: null,
  billing_thresholds: null,
  collection_method: null,
  description: null,
  invoice_settings: null,
  on_behalf_of: null,
  transfer_data: null,
}

const kept = (discount: string) => ({ coupon: null, discount, promotion_code: null })

function itemsOf(subscription: Subscription): SchedulePhase['items'] {
  return subscription.items.data.map((item) => ({
    billing_thresholds: null,
    discounts: item.discounts.map(kept),
    metadata: item.metadata,
    plan: item.price.id,
    price: item.price.id,
    quantity: item.quantity,
    tax_rates: item.tax_rates ?? [],
  }))
}

function runningPhase(subscription: Subscription): SchedulePhase {
  const item = itemOf(subscription)
  return {
    ...unusedPhaseFields,
    billing_cycle_anchor: null,
    currency: subscription.currency,
    default_payment_method: null,
    default_tax_rates: subscription.default_tax_rates,
    discounts: subscription.discounts.map(kept),
    end_date: item.current_period_end,
    items: itemsOf(subscription),
    metadata: subscription.metadata,
    proration_behavior: 'create_prorations',
    start_date: item.current_period_start,
    trial_end: subscription.status === 'trialing' ? subscription.trial_end : null,
  }
}

export function defaultSettings({
  default_payment_method,
  description,
}: Pick<Subscription, 'default_payment_method' | 'description'>): Schedule['default_settings'] {
  return {
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: 'automatic',
    billing_thresholds: null,
    collection_method: 'charge_automatically',
    default_payment_method,
    description,
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      days_until_due: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    on_behalf_of: null,
    transfer_data: null,
  }
}

/** A schedule whose only phase is the subscription's current period. */
export function createScheduleFromSubscription(
  ctx: Context,
  subscription: Subscription,
  metadata: Record<string, string>,
): Schedule {
  const phase = runningPhase(subscription)
  const schedule = insertSchedule(ctx, {
    billing_mode: subscription.billing_mode,
    current_phase: { start_date: phase.start_date, end_date: phase.end_date },
    customer: subscription.customer,
    default_settings: defaultSettings(subscription),
    end_behavior: subscription.cancel_at === null ? 'release' : 'cancel',
    metadata,
    phases: [phase],
    status: 'active',
    subscription: subscription.id,
    test_clock: subscription.test_clock,
  })
  changeSubscription(ctx, subscription, { schedule: schedule.id })
  return schedule
}

/** Doesn't redeem a coupon it already has. Leaves out expired discounts and coupons. */
function phaseDiscounts(ctx: Context, redeemer: Redeemer, { discounts }: Pick<SchedulePhase, 'discounts'>): string[] {
  const wanted = discounts.flatMap(({ coupon, discount }) => {
    const had = coupon === null ? discount : discountOfCoupon(ctx, redeemer, coupon)
    if (had && redeemer.discounts.includes(had)) return { discount: had }
    return coupon !== null && isRedeemable(ctx, coupon, redeemer.currency) ? { coupon } : []
  })
  return replaceDiscounts(ctx, redeemer, wanted)
}

/** An item whose price goes on stays, and another takes the place of one that doesn't. */
function itemsAfter(ctx: Context, subscription: Subscription, phase: SchedulePhase): Subscription['items']['data'] {
  const { data } = subscription.items
  const replaced = data.filter(({ price }) => phase.items.every((wanted) => wanted.price !== price.id))
  return phase.items.flatMap((wanted) => {
    const item = data.find(({ price }) => price.id === wanted.price) ?? replaced.shift() ?? added(data)
    if (item === undefined) return []
    const { quantity, metadata, tax_rates } = wanted
    const price = getObject(ctx, 'price', wanted.price)
    const discounts = phaseDiscounts(ctx, itemRedeemer(subscription, item), wanted)
    return [{ ...withPrice(item, price), discounts, quantity, metadata: metadata ?? {}, tax_rates: tax_rates ?? [] }]
  })
}

const added = ([first]: SubscriptionItem[]) => first && { ...first, id: newId('si'), discounts: [] }

export type BillingMode = Subscription['billing_mode']

type OfPrices = Pick<SchedulePhase, 'items'>

export function isOtherInterval(ctx: Context, { items: [one] }: OfPrices, { items: [other] }: OfPrices): boolean {
  const [old, now] = [one, other].map((item) => getObject(ctx, 'price', item?.price ?? '').recurring)
  return old?.interval !== now?.interval || old?.interval_count !== now?.interval_count
}

/**
 * The anchor from a phase on. Only in `billing_mode=classic` another interval moves it by itself.
 * https://docs.stripe.com/billing/subscriptions/billing-mode/compare
 */
export function anchorOf(
  ctx: Context,
  before: OfPrices,
  phase: SchedulePhase,
  { anchor, mode }: { anchor: number; mode: BillingMode },
): number {
  if (phase.billing_cycle_anchor === 'phase_start') return phase.start_date
  return mode.type === 'classic' && isOtherInterval(ctx, before, phase) ? phase.start_date : anchor
}

/** Copies a phase to the subscription. Nothing is prorated: a new price applies from the next period, a new interval too. */
export function applyPhase(ctx: Context, schedule: Schedule, phase: SchedulePhase): void {
  const subscription = getObject(ctx, 'subscription', schedule.subscription ?? '')
  const { billing_cycle_anchor: anchor, billing_mode: mode } = subscription
  const begins = phase.start_date === ctx.now
  changeSubscription(ctx, subscription, {
    items: { ...subscription.items, data: itemsAfter(ctx, subscription, phase) },
    ...(begins
      ? { billing_cycle_anchor: anchorOf(ctx, { items: itemsOf(subscription) }, phase, { anchor, mode }) }
      : {}),
    ...(phase.default_payment_method === null ? {} : { default_payment_method: phase.default_payment_method }),
    default_tax_rates: phase.default_tax_rates,
    discounts: phaseDiscounts(ctx, subscription, phase),
    metadata: mergeMetadata(subscription.metadata, phase.metadata),
  })
}

const noCancellation = { cancel_at: null, cancel_at_period_end: false, canceled_at: null }

/** Ends the schedule but not the subscription. Drops the schedule's planned cancellation, unless `keepCancel`. */
export function releaseSchedule(ctx: Context, schedule: Schedule, keepCancel: boolean): Schedule {
  if (schedule.status === 'not_started') return closeSchedule(ctx, schedule, 'released')
  const subscription = getObject(ctx, 'subscription', schedule.subscription ?? '')
  const drops = schedule.end_behavior === 'cancel' && !keepCancel
  changeSubscription(ctx, subscription, { schedule: null, ...(drops ? noCancellation : {}) })
  return closeSchedule(ctx, schedule, 'released')
}

export function onPhaseEnd(ctx: Context, id: string): void {
  const schedule = getObject(ctx, 'subscription_schedule', id)
  const next = schedule.phases.find(({ start_date }) => start_date === schedule.current_phase?.end_date)
  if (next !== undefined) {
    const { start_date, end_date } = next
    applyPhase(ctx, changeSchedule(ctx, schedule, { current_phase: { start_date, end_date } }), next)
  } else if (schedule.end_behavior === 'cancel') closeSchedule(ctx, schedule, 'completed')
  else releaseSchedule(ctx, schedule, false)
}

/** A change to the subscription applies to its current phase, and its payment method to later phases too. */
export function copySubscriptionToPhase(ctx: Context, subscription: Subscription): void {
  const schedule = scheduleOf(ctx, subscription)
  if (schedule === null) return
  const current = currentPhase(schedule)
  const changed = {
    ...current,
    default_tax_rates: subscription.default_tax_rates,
    items: itemsOf(subscription),
  }
  changeSchedule(ctx, schedule, {
    default_settings: {
      ...schedule.default_settings,
      default_payment_method: subscription.default_payment_method,
    },
    phases: schedule.phases.map((phase) => (phase === current ? changed : phase)),
  })
}
