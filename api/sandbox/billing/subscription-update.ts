import { invalid } from '#api/sandbox/errors.ts'
import type { Subscription } from '#api/sandbox/store/billing-objects.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import { beginsAnew } from './cycle-reset.ts'
import { type DiscountParams, replaceDiscounts } from './discounts.ts'
import { finalizeInvoice } from './invoices.ts'
import { type ItemChange, type ItemsAfter, itemsAfterChange } from './item-change.ts'
import { mergeMetadata } from './metadata.ts'
import { requireAttachedMethod } from './payment-methods.ts'
import { assertPendingAllowed, prorate, restartCycle } from './pending-updates.ts'
import { addMonths } from './periods.ts'
import { copySubscriptionToPhase } from './schedule-phases.ts'
import { scheduleOf } from './schedule-state.ts'
import { taxRatesOf } from './subscription-draft.ts'
import { createPeriodInvoice, onTrialEnd } from './subscription-periods.ts'
import { changeSubscription, discardPendingUpdate, endWith, itemOf } from './subscription-state.ts'

export type SubscriptionChange = {
  billing_cycle_anchor?: { type: 'now' | 'unchanged' } | undefined
  cancel_at?: number | null | undefined
  cancel_at_period_end?: boolean | undefined
  cancellation_details?: { comment?: string | null | undefined; feedback?: string | null | undefined } | undefined
  default_payment_method?: string | null | undefined
  default_tax_rates?: string[] | null | undefined
  description?: string | null | undefined
  discounts?: DiscountParams
  items?: ItemChange[] | undefined
  metadata?: Record<string, string> | null | undefined
  pause_collection?: { behavior: string; resumes_at?: number | undefined } | null | undefined
  payment_settings?:
    | {
        save_default_payment_method?: string | undefined
        payment_method_types?: ('card' | 'paypal')[] | null | undefined
      }
    | undefined
  payment_behavior?: string | undefined
  proration_behavior?: string | undefined
  proration_date?: number | undefined
  trial_end?: 'now' | number | undefined
  trial_settings?: { end_behavior: { missing_payment_method: string } } | undefined
}

const alwaysAllowed = ['metadata', 'cancellation_details']
const allowedWhileIncomplete = [...alwaysAllowed, 'default_payment_method', 'description', 'payment_settings']

function assertChangeAllowed(subscription: Subscription, change: SubscriptionChange): void {
  const given = Object.entries(change).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  const over = subscription.status === 'canceled' || subscription.status === 'incomplete_expired'
  if (over && given.some((name) => !alwaysAllowed.includes(name))) {
    throw invalid('A canceled subscription can only update its cancellation_details and metadata.', {
      code: 'invalid_canceled_subscription_fields',
    })
  }
  if (subscription.status === 'incomplete' && given.some((name) => !allowedWhileIncomplete.includes(name))) {
    throw invalid(
      "This subscription's first invoice is not paid yet; only its metadata and payment method can be updated until then.",
    )
  }
}

function cancelFields(ctx: Context, subscription: Subscription, change: SubscriptionChange): Partial<Subscription> {
  const cancellation = {
    canceled_at: ctx.now,
    cancellation_details: detailsOf(subscription, change, 'cancellation_requested'),
  }
  if (change.cancel_at_period_end === true) {
    return { ...cancellation, cancel_at: itemOf(subscription).current_period_end, cancel_at_period_end: true }
  }
  if (typeof change.cancel_at === 'number') {
    if (change.cancel_at <= ctx.now) throw invalid('Invalid timestamp: must be in the future.', { param: 'cancel_at' })
    return { ...cancellation, cancel_at: change.cancel_at, cancel_at_period_end: false }
  }
  if (change.cancel_at_period_end === false || change.cancel_at === null) {
    const cancellation_details = detailsOf(subscription, change, null)
    return { cancel_at: null, cancel_at_period_end: false, canceled_at: null, cancellation_details }
  }
  if (change.cancellation_details === undefined) return {}
  const reason = subscription.cancellation_details?.reason ?? null
  return { cancellation_details: detailsOf(subscription, change, reason) }
}

function detailsOf(
  { cancellation_details: old }: Subscription,
  { cancellation_details: change }: SubscriptionChange,
  reason: string | null,
): Subscription['cancellation_details'] {
  return {
    comment: change?.comment === undefined ? (old?.comment ?? null) : change.comment,
    feedback: change?.feedback === undefined ? (old?.feedback ?? null) : change.feedback,
    feedback_option: null,
    reason,
  }
}

/** A trial may begin on an active subscription, as long as nothing paid is prorated. */
function assertTrialAllowed({ status }: Subscription, { proration_behavior }: SubscriptionChange): void {
  if (status !== 'active') {
    throw invalid(`The sandbox begins no trial while a subscription is ${status}.`, { param: 'trial_end' })
  }
  if (proration_behavior !== 'none') {
    throw invalid('The sandbox does not prorate: pass proration_behavior=none.', { param: 'proration_behavior' })
  }
}

const mostTrialMonths = 24

/** https://docs.stripe.com/api/subscriptions/update#update_subscription-trial_end. An anchor may be many years old by then. */
export function assertTrialWithin(from: number, end: number): void {
  if (end <= addMonths(from, mostTrialMonths)) return
  throw invalid('Invalid trial_end: it can be at most two years from `billing_cycle_anchor`.', { param: 'trial_end' })
}

function trialFields(ctx: Context, subscription: Subscription, change: SubscriptionChange): Partial<Subscription> {
  if (change.trial_end === undefined) return {}
  const isRunning = subscription.status === 'trialing'
  if (!isRunning && change.trial_end === 'now') return {}
  if (!isRunning) assertTrialAllowed(subscription, change)
  const end = change.trial_end === 'now' ? ctx.now : change.trial_end
  if (end < ctx.now) {
    throw invalid('Invalid timestamp: must be an integer Unix timestamp in the future.', { param: 'trial_end' })
  }
  assertTrialWithin(Math.max(ctx.now, subscription.billing_cycle_anchor), end)
  const start = isRunning ? {} : { current_period_start: ctx.now }
  const data = subscription.items.data.map((item) => ({ ...item, ...start, current_period_end: end }))
  return {
    billing_cycle_anchor: end,
    ...(isRunning ? {} : { status: 'trialing', trial_start: ctx.now }),
    trial_end: end,
    ...(subscription.cancel_at_period_end ? { cancel_at: end } : {}),
    items: { ...subscription.items, data },
    hidden: { ...subscription.hidden, trialEndAnnounced: change.trial_end === 'now' },
  }
}

function settingsWith(
  old: Subscription['payment_settings'],
  change: NonNullable<SubscriptionChange['payment_settings']>,
): Subscription['payment_settings'] {
  const types = change.payment_method_types
  return {
    payment_method_options: null,
    payment_method_types: types === undefined ? (old?.payment_method_types ?? null) : types,
    save_default_payment_method: change.save_default_payment_method ?? old?.save_default_payment_method ?? 'off',
  }
}

function plainFields(ctx: Context, subscription: Subscription, change: SubscriptionChange): Partial<Subscription> {
  const { default_payment_method: method, default_tax_rates: rates, pause_collection: pause } = change
  if (typeof method === 'string') requireAttachedMethod(ctx, method, subscription.customer, 'default_payment_method')
  return {
    metadata: mergeMetadata(subscription.metadata, change.metadata),
    ...(method === undefined ? {} : { default_payment_method: method }),
    ...(rates === undefined ? {} : { default_tax_rates: taxRatesOf(ctx, rates, 'default_tax_rates') }),
    ...(change.description === undefined ? {} : { description: change.description }),
    ...(change.discounts === undefined ? {} : { discounts: replaceDiscounts(ctx, subscription, change.discounts) }),
    ...(pause === undefined
      ? {}
      : { pause_collection: pause && { behavior: pause.behavior, resumes_at: pause.resumes_at ?? null } }),
    ...(change.payment_settings === undefined
      ? {}
      : { payment_settings: settingsWith(subscription.payment_settings, change.payment_settings) }),
    ...(change.trial_settings === undefined
      ? {}
      : { trial_settings: { end_behavior: { billing_cycle_anchor: null, ...change.trial_settings.end_behavior } } }),
  }
}

/** A managed subscription's end and trial are changed on its schedule. */
function assertNotScheduled(ctx: Context, subscription: Subscription, change: SubscriptionChange): void {
  const schedule = scheduleOf(ctx, subscription)
  if (schedule === null) return
  if (change.cancel_at !== undefined || change.cancel_at_period_end !== undefined) {
    throw invalid(
      `The subscription is managed by the subscription schedule \`${schedule.id}\`, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.`,
    )
  }
  if (change.trial_end !== undefined) {
    throw invalid('The sandbox does not move the trial of a subscription with a schedule.', { param: 'trial_end' })
  }
}

function billTrial(ctx: Context, subscription: Subscription): void {
  const { draft } = createPeriodInvoice(ctx, subscription, {
    billing_reason: 'subscription_update',
    auto_advance: true,
    period_start: ctx.now,
    period_end: ctx.now,
  })
  finalizeInvoice(ctx, draft, null)
}

function discardContradicted(ctx: Context, subscription: Subscription, change: SubscriptionChange): Subscription {
  const { items, trial_end, cancel_at, cancel_at_period_end } = change
  const isContradicted = [items, trial_end, cancel_at, cancel_at_period_end].some((value) => value !== undefined)
  return isContradicted ? discardPendingUpdate(ctx, subscription) : subscription
}

export function updateSubscription(ctx: Context, found: Subscription, change: SubscriptionChange): Subscription {
  assertChangeAllowed(found, change)
  assertNotScheduled(ctx, found, change)
  assertPendingAllowed(change)
  const before = discardContradicted(ctx, found, change)
  const changed = itemsAfterChange(ctx, before, change.items ?? [])
  if (beginsAnew(before, change, changed)) {
    const items = changed?.items ?? before.items.data
    return restartCycle(ctx, before, { ...change, items }, (begun) => applyChange(ctx, before, change, begun))
  }
  const isProrated = change.proration_behavior !== 'none' && before.status !== 'trialing'
  if (changed === null || changed.costing.length === 0 || !isProrated) return applyChange(ctx, before, change, changed)
  return prorate(ctx, before, { ...change, ...changed }, () => applyChange(ctx, before, change, changed))
}

type Changed = Pick<ItemsAfter, 'items'> & { anchor?: number }

function applyChange(
  ctx: Context,
  before: Subscription,
  change: SubscriptionChange,
  changed: Changed | null,
): Subscription {
  const after = changeSubscription(ctx, before, {
    ...plainFields(ctx, before, change),
    ...(changed === null ? {} : { items: { ...before.items, data: changed.items } }),
    ...(changed?.anchor === undefined
      ? {}
      : { billing_cycle_anchor: changed.anchor, cancel_at: endWith(before, changed.items) }),
    ...trialFields(ctx, before, change),
    ...cancelFields(ctx, before, change),
  })
  copySubscriptionToPhase(ctx, after)
  if (before.status === 'trialing' && change.trial_end === 'now') onTrialEnd(ctx, after.id)
  if (before.status !== 'trialing' && after.status === 'trialing') billTrial(ctx, after)
  return getObject(ctx, 'subscription', after.id)
}
