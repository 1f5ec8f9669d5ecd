import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { AppError } from '#api/errors.ts'
import { type Access, accessOfUser } from '#api/features/access/queries.ts'
import { redeemLink } from '#api/features/auth/link-service.ts'
import { endAllSessions, startSession } from '#api/features/auth/session-service.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { tierBySlug } from '#api/features/tiers/service.ts'
import type { Person } from '#api/http/session.ts'
import type { BillingSubscription, NextPlan, OpenInvoice, Plan } from '#shared/contract/billing.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { londonDay } from '#shared/rules/london.ts'
import { withVat } from '#shared/rules/money.ts'

/**
 * The billing view. While a first payment is under way the provider is asked each time, so that a page that polls needs no
 * webhook; when it cannot be reached, our rows answer.
 */
export async function billingSubscription(ctx: Context, person: Person): Promise<BillingSubscription> {
  if (person.access.status !== 'incomplete') return billingView(ctx, person)
  const customer = ctx.sqlite
    .prepare<[string], { stripeCustomerId: string }>('select stripeCustomerId from customers where userId = ?')
    .get(person.id)
  if (customer === undefined) return billingView(ctx, person)
  try {
    await syncCustomer(ctx, customer.stripeCustomerId)
  } catch (error) {
    ctx.log.warn('provider not reached while polling', { name: error instanceof Error ? error.name : 'unknown' })
  }
  return currentBilling(ctx, person)
}

/** The billing view from our rows as they are now. */
export const currentBilling = (ctx: Context, person: Person): BillingSubscription =>
  billingView(ctx, { ...person, access: accessOfUser(ctx, person.id) })

function billingView(ctx: Context, { access, isAdmin }: Pick<Person, 'access' | 'isAdmin'>): BillingSubscription {
  const nextBillingAt = access.nextBillingAt === null ? null : Math.floor(Date.parse(access.nextBillingAt) / 1000)
  return {
    status: access.status,
    next_billing_date: nextBillingAt,
    label: access.label,
    // An owner sees everything as he is; there is nothing to put right.
    showsBanner: access.showsBanner && !isAdmin,
    hasAccess: access.hasAccess,
    isComplimentary: access.isComplimentary,
    isRevoked: access.isRevoked,
    plan: planOf(ctx, access),
    firstPaymentOn: access.firstPaymentOn,
    endsOn: access.endsOn,
    graceEndsOn: access.graceEndsOn,
    offer: access.offer,
    nextPlan: nextPlanOf(ctx, access),
    openInvoice: openInvoiceOf(ctx, access),
  }
}

type BookedRow = { nextTierSlug: TierSlug | null; nextTierAt: string | null; nextTierNet: number | null }

/** What the next payment is for, where a change of tier is booked. */
function nextPlanOf(ctx: Context, { subscriptionId }: Access): NextPlan | null {
  if (subscriptionId === null) return null
  const row = ctx.sqlite
    .prepare<[string], BookedRow>('select nextTierSlug, nextTierAt, nextTierNet from subscriptions where id = ?')
    .get(subscriptionId)
  const tier = row?.nextTierSlug ? tierBySlug(ctx, row.nextTierSlug) : undefined
  if (tier === undefined || !row?.nextTierAt) return null
  const price = withVat(row.nextTierNet ?? tier.price)
  return { slug: tier.slug, name: tier.name, ...price, from: londonDay(new Date(row.nextTierAt)) }
}

/**
 * The newest demand of the person's subscription that waits for its payment. Where payments have failed it may still be a
 * draft: paying finalises it. A first payment that was only begun is none: it goes on at `/reactivate`, or not at all.
 */
function openInvoiceOf(ctx: Context, { subscriptionId, status }: Access): OpenInvoice | null {
  if (subscriptionId === null || status === 'incomplete') return null
  const isOverdue = status === 'past_due' || status === 'unpaid'
  const row = ctx.sqlite
    .prepare<[string, string], OpenInvoice>(
      `select id, net, vat, total, created from provider_invoices
       where subscriptionId = ? and status in ('open', ?) order by created desc limit 1`,
    )
    .get(subscriptionId, isOverdue ? 'draft' : 'open')
  return row ?? null
}

/** The tier of the person's subscription with what it costs a month; null where there never was one. */
function planOf(ctx: Context, { subscriptionId, status }: Access): Plan | null {
  if (subscriptionId === null) return null
  const row = ctx.sqlite
    .prepare<[string], { tierSlug: TierSlug; monthlyNet: number; paidNet: number | null }>(
      `select tierSlug, monthlyNet, (select net from provider_invoices paid
         where paid.subscriptionId = subscriptions.id and paid.status = 'paid' and paid.amountPaid > 0
         order by paid.created desc limit 1) as paidNet
       from subscriptions where id = ?`,
    )
    .get(subscriptionId)
  if (row === undefined) return null
  // While a renewal is not paid, tier and price are those of the last payment: it may be for another tier.
  const isOverdue = status === 'past_due' || status === 'unpaid'
  const net = (isOverdue ? row.paidNet : null) ?? row.monthlyNet
  return { slug: row.tierSlug, name: tierBySlug(ctx, row.tierSlug)?.name ?? row.tierSlug, ...withVat(net) }
}

/** Goes on with joining by a mailed link: a session here, and every other one of the account ends. Returns the cookie. */
export function continueJoin(ctx: Context, token: string): { userId: string; cookie: string } {
  return transact(ctx, () => {
    const owner = redeemLink(ctx, token, 'join')
    if (owner === null)
      throw new AppError('invalid_token', 'This link has been used or is too old. Please start again.')
    endAllSessions(ctx, owner.userId)
    return { userId: owner.userId, cookie: startSession(ctx, owner.userId) }
  })
}
