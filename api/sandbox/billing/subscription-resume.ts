import { methodOf, payInvoice } from '#api/sandbox/billing/collection.ts'
import { finalizeInvoice } from '#api/sandbox/billing/invoice-life.ts'
import { draftForPeriod, periodFrom, withPeriod } from '#api/sandbox/billing/renewal.ts'
import { changeSubscription } from '#api/sandbox/billing/subscription-state.ts'
import { invalid } from '#api/sandbox/http/errors.ts'
import type { Subscription } from '#api/sandbox/store/billing-objects.ts'
import { get } from '#api/sandbox/store/get.ts'
import type { Work } from '#api/sandbox/store/work.ts'
import { emit } from '#api/sandbox/webhooks/emit.ts'

export type ResumeParams = {
  billing_cycle_anchor: 'now' | 'unchanged'
  payment_behavior: 'resume_on_payment_attempt' | 'resume_on_payment_success'
}

/**
 * Ends a pause with a resumption invoice for the period that begins now. With `resume_on_payment_attempt` the invoice is
 * tried at once; without success the subscription stays paused until the invoice is paid, for at most 23 hours.
 */
export function resumeSubscription(work: Work, paused: Subscription, params: ResumeParams): Subscription {
  if (paused.status !== 'paused') {
    throw invalid(`Subscription ${paused.id} is not paused. Only paused subscriptions can be resumed.`)
  }
  if (params.billing_cycle_anchor === 'unchanged') {
    throw invalid('The sandbox resumes with a new billing cycle only.', { param: 'billing_cycle_anchor' })
  }
  const anchored = { ...paused, billing_cycle_anchor: work.now }
  const begun = changeSubscription(work, paused, {
    billing_cycle_anchor: work.now,
    items: withPeriod(anchored, periodFrom(anchored, work.now)),
  })
  const { draft, subscription } = draftForPeriod(work, begun, {
    billing_reason: 'subscription_update',
    auto_advance: true,
    period_start: work.now,
    period_end: work.now,
  })
  const open = finalizeInvoice(work, draft, methodOf(work, draft)?.id ?? null)
  const asked = changeSubscription(work, subscription, {
    hidden: { ...subscription.hidden, resume: { invoice: open.id, askedAt: work.now } },
  })
  const method = methodOf(work, open)
  if (open.status === 'paid') return endPause(work, asked)
  if (method !== null && params.payment_behavior === 'resume_on_payment_attempt') payInvoice(work, open, method, false)
  return get(work, 'subscription', paused.id)
}

function endPause(work: Work, subscription: Subscription): Subscription {
  const hidden = { ...subscription.hidden, resume: null }
  const resumed = changeSubscription(work, subscription, { status: 'active', hidden })
  emit(work, 'customer.subscription.resumed', resumed)
  return resumed
}
