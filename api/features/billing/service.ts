import type { Context } from '#api/context.ts'
import { type Access, accessOfUser } from '#api/features/access/queries.ts'
import { syncCustomer } from '#api/features/reconcile/service.ts'
import { tierBySlug } from '#api/features/tiers/service.ts'
import type { Person } from '#api/http/session.ts'
import type { BillingSubscription, NextPlan, OpenInvoice, Plan } from '#shared/contract/billing.ts'
import { londonDay } from '#shared/rules/london.ts'
import { withVat } from '#shared/rules/money.ts'
import { type BilledSubscription, findCustomer, findOpenInvoice, findSubscription } from './queries.ts'

/**
 * The billing view. While a first payment is under way the provider is read each time, so that a page that polls needs no
 * webhook; when the provider cannot be reached, the view comes from our rows.
 */
export async function billingSubscription(ctx: Context, person: Person): Promise<BillingSubscription> {
  if (person.access.status !== 'incomplete') return billingView(ctx, person)
  const customer = findCustomer(ctx, person.id)
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
  const subscription = access.subscriptionId === null ? undefined : findSubscription(ctx, access.subscriptionId)
  return {
    status: access.status,
    next_billing_date: nextBillingAt,
    label: access.label,
    // An owner has access whatever the subscription, so there is nothing to put right.
    showsBanner: access.showsBanner && !isAdmin,
    hasAccess: access.hasAccess,
    isComplimentary: access.isComplimentary,
    isRevoked: access.isRevoked,
    plan: subscription === undefined ? null : planOf(ctx, access, subscription),
    firstPaymentOn: access.firstPaymentOn,
    endsOn: access.endsOn,
    graceEndsOn: access.graceEndsOn,
    offer: access.offer,
    nextPlan: subscription === undefined ? null : nextPlanOf(ctx, subscription),
    openInvoice: openInvoiceOf(ctx, access),
  }
}

const isOverdue = ({ status }: Access) => status === 'past_due' || status === 'unpaid'

/** The tier of the subscription with what it costs a month. */
function planOf(ctx: Context, access: Access, { tierSlug, monthlyNet, paidNet }: BilledSubscription): Plan {
  // While a renewal is not paid, tier and price are those of the last payment: the renewal may be for another tier.
  const net = (isOverdue(access) ? paidNet : null) ?? monthlyNet
  return { slug: tierSlug, name: tierBySlug(ctx, tierSlug)?.name ?? tierSlug, ...withVat(net) }
}

/** What the next payment is for, where a change of tier is booked. */
function nextPlanOf(ctx: Context, { nextTierSlug, nextTierAt, nextTierNet }: BilledSubscription): NextPlan | null {
  const tier = nextTierSlug === null ? undefined : tierBySlug(ctx, nextTierSlug)
  if (tier === undefined || nextTierAt === null) return null
  return {
    slug: tier.slug,
    name: tier.name,
    ...withVat(nextTierNet ?? tier.price),
    from: londonDay(new Date(nextTierAt)),
  }
}

/**
 * The newest invoice of the person's subscription that waits for its payment. Where payments have failed it may still be a
 * draft: paying finalises it. A first payment that was only begun is none: it continues at `/reactivate`, or not at all.
 */
function openInvoiceOf(ctx: Context, access: Access): OpenInvoice | null {
  if (access.subscriptionId === null || access.status === 'incomplete') return null
  return findOpenInvoice(ctx, access.subscriptionId, { withDrafts: isOverdue(access) }) ?? null
}
