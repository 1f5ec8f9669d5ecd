import { invalid } from '#api/sandbox/errors.ts'
import type { Schedule, SchedulePhase, Subscription } from '#api/sandbox/store/billing-objects.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import { newId } from '#api/sandbox/store/ids.ts'
import { findObject } from '#api/sandbox/store/store.ts'
import { isRedeemable, replaceDiscounts } from './discounts.ts'
import { requireAttachedMethod } from './payment-methods.ts'
import { defaultSettings } from './schedule-phases.ts'
import { changeSchedule, closeSchedule, insertSchedule } from './schedule-state.ts'
import { type PhaseParams, phasesFrom } from './schedule-update.ts'
import { type PaymentBehaviour, startSubscription } from './subscription-create.ts'
import { billingModeOf, defaultSubscriptionSettings, draftSubscription, itemOfPrice } from './subscription-draft.ts'
import { changeSubscription } from './subscription-state.ts'

export type NewSchedule = {
  customer: string
  default_settings?: { default_payment_method?: string | undefined; description?: string | undefined } | undefined
  end_behavior: 'cancel' | 'release'
  metadata?: Record<string, string> | null | undefined
  phases: PhaseParams[]
  start_date: 'now' | number
}

/** A schedule that creates its subscription when its first phase begins. */
export function createSchedule(ctx: Context, params: NewSchedule): Schedule {
  const customer = getObject(ctx, 'customer', params.customer, 'customer')
  const start = params.start_date === 'now' ? ctx.now : params.start_date
  if (start < ctx.now) throw invalid('The sandbox begins no schedule in the past.', { param: 'start_date' })
  const method = params.default_settings?.default_payment_method ?? null
  if (method !== null) requireAttachedMethod(ctx, method, customer.id, 'default_settings[default_payment_method]')
  const description = params.default_settings?.description ?? null
  const schedule = insertSchedule(ctx, {
    billing_mode: billingModeOf(),
    current_phase: null,
    customer: customer.id,
    default_settings: defaultSettings({ default_payment_method: method, description }),
    end_behavior: params.end_behavior,
    metadata: params.metadata ?? {},
    phases: phasesFrom(ctx, params.phases, start, billingModeOf()),
    status: 'not_started',
    subscription: null,
    test_clock: customer.test_clock,
  })
  return start === ctx.now ? startSchedule(ctx, schedule, 'allow_incomplete') : schedule
}

function draftOf(ctx: Context, id: string, schedule: Schedule, phase: SchedulePhase): Subscription {
  const { currency } = phase
  const data = phase.items.map(({ price, metadata, quantity, tax_rates }) => ({
    ...itemOfPrice(ctx, id, getObject(ctx, 'price', price)),
    metadata: metadata ?? {},
    quantity,
    tax_rates: tax_rates ?? [],
  }))
  const redeemer = { id, customer: schedule.customer, currency, discounts: [] }
  const wanted = phase.discounts.flatMap(({ coupon }) =>
    coupon !== null && isRedeemable(ctx, coupon, currency) ? [{ coupon }] : [],
  )
  return draftSubscription(ctx, id, {
    billing_mode: schedule.billing_mode,
    ...defaultSubscriptionSettings(),
    customer: schedule.customer,
    currency,
    default_payment_method: phase.default_payment_method ?? schedule.default_settings.default_payment_method,
    default_tax_rates: phase.default_tax_rates,
    description: phase.description ?? schedule.default_settings.description,
    discounts: replaceDiscounts(ctx, redeemer, wanted),
    items: { object: 'list', data, has_more: false, url: `/v1/subscription_items?subscription=${id}` },
    metadata: phase.metadata ?? {},
    trial_end: null,
  })
}

function startSchedule(ctx: Context, waiting: Schedule, behaviour: PaymentBehaviour): Schedule {
  const [phase] = waiting.phases
  if (phase === undefined) throw new Error(`schedule ${waiting.id} has no phase`)
  const draft = draftOf(ctx, newId('sub'), waiting, phase)
  const begun = startSubscription(ctx, { ...draft, schedule: waiting.id }, behaviour)
  const { start_date, end_date } = phase
  const last = waiting.phases.at(-1)?.end_date ?? end_date
  if (waiting.end_behavior === 'cancel') changeSubscription(ctx, begun, { cancel_at: last, canceled_at: ctx.now })
  return changeSchedule(ctx, waiting, {
    current_phase: { start_date, end_date },
    status: 'active',
    subscription: begun.id,
  })
}

/** Without a payment method the first invoice stays open. If the customer is gone, cancels the schedule. */
export function onScheduleStart(ctx: Context, id: string): void {
  const waiting = getObject(ctx, 'subscription_schedule', id)
  const customer = findObject(ctx.store, 'customer', waiting.customer)
  if (customer === null) {
    closeSchedule(ctx, waiting, 'canceled')
    return
  }
  const method =
    waiting.phases[0]?.default_payment_method ??
    waiting.default_settings.default_payment_method ??
    customer.invoice_settings.default_payment_method
  startSchedule(ctx, waiting, method === null ? 'default_incomplete' : 'allow_incomplete')
}
