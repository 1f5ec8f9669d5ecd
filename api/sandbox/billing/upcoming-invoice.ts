import { ApiError } from '#api/sandbox/errors.ts'
import type { Invoice, Subscription } from '#api/sandbox/store/billing-objects.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import { savepoint } from '#api/sandbox/store/store.ts'
import { nextTimerOf } from '#api/sandbox/store/timers.ts'
import { runTimer } from './timeline.ts'

const undone = new Error('undone')

/** Does something, and takes back all that it wrote. */
export function rehearse<T>(ctx: Context, run: () => T): T {
  const results: T[] = []
  try {
    savepoint(ctx.store, () => {
      results.push(run())
      throw undone
    })
  } catch (error) {
    if (error !== undone) throw error
  }
  const [result] = results
  if (result === undefined) throw new Error('a rehearsal without a result')
  return result
}

const noneUpcoming = ({ customer }: Pick<Subscription, 'customer'>) =>
  new ApiError(404, {
    type: 'invalid_request_error',
    code: 'invoice_upcoming_none',
    message: `No upcoming invoices for customer: ${customer}`,
  })

const bills = ['trialing', 'active', 'past_due', 'unpaid']

/** Runs what falls due of the subscription, its schedule and its discounts, up to its next invoice. */
function nextInvoice(ctx: Context, id: string, latest: string | null): Invoice {
  for (;;) {
    const subscription = getObject(ctx, 'subscription', id)
    if (subscription.latest_invoice !== null && subscription.latest_invoice !== latest) {
      return getObject(ctx, 'invoice', subscription.latest_invoice)
    }
    const discount = getObject(ctx, 'customer', subscription.customer).discount?.id
    const ids = [id, subscription.schedule, discount, ...subscription.discounts].filter(
      (one) => typeof one === 'string',
    )
    const timer = bills.includes(subscription.status) ? nextTimerOf(ctx.store, ids) : null
    if (timer === null) throw noneUpcoming(subscription)
    runTimer({ ...ctx, now: timer.at }, timer)
  }
}

/** The next invoice after `change`, as the timers would make it. Saves nothing. */
export function upcomingInvoice(ctx: Context, id: string, change: (ctx: Context) => void): Invoice {
  // Otherwise it would be finalised and collected at the same time.
  const draft = { ...ctx, settings: { ...ctx.settings, draftMinutes: 60 } }
  const { latest_invoice: latest } = getObject(ctx, 'subscription', id)
  return rehearse(ctx, () => {
    change(draft)
    return nextInvoice(draft, id, latest)
  })
}

/** The first invoice of the subscription that a schedule begins later. Saves nothing. */
export const firstInvoiceOfSchedule = (ctx: Context, id: string, change: () => void): Invoice =>
  rehearse(ctx, () => {
    change()
    const timer = nextTimerOf(ctx.store, [id])
    if (timer !== null) runTimer({ ...ctx, now: timer.at }, timer)
    const { customer, subscription } = getObject(ctx, 'subscription_schedule', id)
    if (subscription === null) throw noneUpcoming({ customer })
    return getObject(ctx, 'invoice', getObject(ctx, 'subscription', subscription).latest_invoice ?? '')
  })

/** What the customer owes or has in credit is set off when the invoice is finalised, and shown before. */
export function asPreview(ctx: Context, invoice: Invoice, reason: Invoice['billing_reason']): Invoice {
  const { balance } = getObject(ctx, 'customer', invoice.customer)
  const due = Math.max(0, invoice.total + balance)
  const id = `upcoming_${invoice.id}`
  return {
    ...invoice,
    id,
    lines: { ...invoice.lines, url: `/v1/invoices/${id}/lines` },
    billing_reason: reason,
    status: 'draft',
    number: null,
    ending_balance: null,
    starting_balance: balance,
    amount_due: due,
    amount_remaining: due,
    amount_paid: 0,
    attempted: false,
    hosted_invoice_url: null,
    invoice_pdf: null,
  }
}
