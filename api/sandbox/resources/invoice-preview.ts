import * as v from 'valibot'
import { beginsAnew, cycleInvoice } from '#api/sandbox/billing/cycle-reset.ts'
import { itemsAfterChange } from '#api/sandbox/billing/item-change.ts'
import { prorationInvoice } from '#api/sandbox/billing/prorations.ts'
import { updateSchedule } from '#api/sandbox/billing/schedule-update.ts'
import { resumeSubscription } from '#api/sandbox/billing/subscription-periods.ts'
import { updateSubscription } from '#api/sandbox/billing/subscription-update.ts'
import { asPreview, firstInvoiceOfSchedule, rehearse, upcomingInvoice } from '#api/sandbox/billing/upcoming-invoice.ts'
import { invalid } from '#api/sandbox/errors.ts'
import type { Invoice, Schedule, Subscription } from '#api/sandbox/store/billing-objects.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import type { Store } from '#api/sandbox/store/store.ts'
import { clearable, flag, text, whole } from './params.ts'
import { type Route, route } from './route.ts'
import { billingCycleAnchor, discounts, itemChanges } from './subscription-params.ts'
import { schedulePhase } from './subscription-schedules.ts'

const proration = v.optional(v.picklist(['always_invoice', 'create_prorations', 'none']))

const subscriptionDetails = v.strictObject({
  billing_cycle_anchor: billingCycleAnchor,
  cancel_at: v.optional(clearable(whole)),
  cancel_at_period_end: v.optional(flag),
  default_tax_rates: v.optional(clearable(v.array(text))),
  items: v.optional(itemChanges),
  proration_behavior: proration,
  proration_date: v.optional(whole),
  resume_at: v.optional(v.literal('now')),
  trial_end: v.optional(v.union([v.literal('now'), whole])),
})

const params = {
  customer: v.optional(text),
  discounts,
  schedule: v.optional(text),
  schedule_details: v.optional(
    v.strictObject({
      end_behavior: v.optional(v.picklist(['release', 'cancel'])),
      phases: v.optional(v.array(schedulePhase)),
      proration_behavior: proration,
    }),
  ),
  subscription: v.optional(text),
  subscription_details: v.optional(subscriptionDetails),
}

const schema = v.strictObject(params)
type Params = v.InferOutput<typeof schema>

function subscriptionOf(ctx: Context, { schedule, subscription, subscription_details }: Params): Subscription {
  if (schedule === undefined) return getObject(ctx, 'subscription', subscription ?? '', 'subscription')
  if (subscription !== undefined || subscription_details !== undefined) {
    throw invalid('You cannot preview a schedule and a subscription.', { param: 'schedule' })
  }
  const { subscription: id } = getObject(ctx, 'subscription_schedule', schedule, 'schedule')
  if (id === null) throw invalid('The sandbox previews no schedule that has ended.', { param: 'schedule' })
  return getObject(ctx, 'subscription', id)
}

/** What the change would invoice now: a cycle that begins anew, or a change of items that's invoiced at once. */
function invoicedNow(
  ctx: Context,
  subscription: Subscription,
  { subscription_details: change }: Params,
): Invoice | null {
  const changed = itemsAfterChange(ctx, subscription, change?.items ?? [])
  const isNew = change !== undefined && beginsAnew(subscription, change, changed)
  if (!isNew && (changed === null || change?.proration_behavior !== 'always_invoice')) return null
  if (subscription.status !== 'active') {
    throw invalid('The sandbox prorates changes of an active subscription alone.', { param: 'subscription' })
  }
  const date = change?.proration_date
  return rehearse(ctx, () =>
    isNew
      ? cycleInvoice(ctx, subscription, { ...change, items: changed?.items ?? subscription.items.data, date })
      : prorationInvoice(ctx, subscription, { costing: changed?.costing ?? [], date }),
  )
}

function applyChange(ctx: Context, subscription: Subscription, params: Params): void {
  const { discounts, schedule, schedule_details, subscription_details: change } = params
  if (schedule_details !== undefined) {
    updateSchedule(ctx, getObject(ctx, 'subscription_schedule', schedule ?? '', 'schedule'), schedule_details)
  }
  const { resume_at, ...details } = change ?? {}
  if (resume_at === 'now') {
    resumeSubscription(ctx, subscription, { payment_behavior: 'resume_on_payment_success' })
  }
  const given = Object.values(details).some((value) => value !== undefined)
  if (given || discounts !== undefined) updateSubscription(ctx, subscription, { ...details, discounts })
}

function waitingScheduleOf(ctx: Context, { schedule, subscription }: Params): Schedule | null {
  if (schedule === undefined || subscription !== undefined) return null
  const found = getObject(ctx, 'subscription_schedule', schedule, 'schedule')
  return found.status === 'not_started' ? found : null
}

/** The next invoice, with the changes in it. Saves nothing. */
function preview(ctx: Context, params: Params): Invoice {
  const waiting = waitingScheduleOf(ctx, params)
  if (waiting !== null) {
    const change = () => void (params.schedule_details && updateSchedule(ctx, waiting, params.schedule_details))
    return keepLines(ctx, asPreview(ctx, firstInvoiceOfSchedule(ctx, waiting.id, change), 'upcoming'))
  }
  const subscription = subscriptionOf(ctx, params)
  const now = invoicedNow(ctx, subscription, params)
  if (now !== null) return keepLines(ctx, asPreview(ctx, now, now.billing_reason))
  const next = upcomingInvoice(ctx, subscription.id, (draft) => applyChange(draft, subscription, params))
  return keepLines(ctx, asPreview(ctx, next, 'upcoming'))
}

const mostKept = 100
const kept = new WeakMap<Store, Map<string, Invoice['lines']>>()

/** Its lines can be listed later, though it's no invoice. https://docs.stripe.com/invoicing/preview#invoice-line-pagination */
function keepLines({ store }: Context, invoice: Invoice): Invoice {
  const previews = kept.get(store) ?? new Map<string, Invoice['lines']>()
  kept.set(store, previews.set(invoice.id, invoice.lines))
  const [oldest = ''] = previews.keys()
  if (previews.size > mostKept) previews.delete(oldest)
  return invoice
}

export const linesOfPreview = ({ store }: Context, id: string) => kept.get(store)?.get(id)

export const invoicePreviewRoutes: Route[] = [route('POST /v1/invoices/create_preview', params, preview)]
