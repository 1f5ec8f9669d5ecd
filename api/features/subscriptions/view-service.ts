import type { Context } from '#api/context.ts'
import type { NextPaymentFacts, WaitingStart } from '#api/db/schema/next-payment.ts'
import { tierBySlug, tiersBySlug } from '#api/features/tiers/service.ts'
import { type Access, accessOfUser } from '#api/identity/access-queries.ts'
import type { Person } from '#api/identity/person.ts'
import type {
  BillingSubscription,
  NextPayment,
  NextPlan,
  Offer,
  OpenInvoice,
  Plan,
  WaitingMembership,
} from '#shared/contract/billing.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { chargeOf, type PeriodPrice } from '#shared/rules/charge.ts'
import { londonDay } from '#shared/rules/london.ts'
import { isCollectedAt, isLive } from '#shared/rules/membership.ts'
import { vatRate, withVat } from '#shared/rules/money.ts'
import { stateLine } from '#shared/rules/state-line.ts'
import { type BilledSubscription, findOpenInvoice, findSubscription, hasBeenMember, readBilled } from './queries.ts'

type Viewed = Pick<Person, 'id' | 'access' | 'isAdmin'>

export const currentBilling = (ctx: Context, person: Omit<Viewed, 'access'>): BillingSubscription =>
  billingView(ctx, { ...person, access: accessOfUser(ctx, person.id) })

/** The sentence that describes the person's state, for mails and owners' pages. */
export const currentStateLine = (ctx: Context, person: Omit<Viewed, 'access'>): string =>
  stateLine(currentBilling(ctx, person))

/** Where a view's rows come from: read one by one, or in bulk for a list. */
type Rows = {
  subscription(id: string): BilledSubscription | undefined
  openInvoice(subscriptionId: string, choice: { withDrafts: boolean }): OpenInvoice | undefined
  hasBeenMember(userId: string): boolean
  tier(slug: TierSlug): { slug: TierSlug; name: string; price: number } | undefined
}

export const billingView = (ctx: Context, viewed: Viewed): BillingSubscription =>
  viewFrom(viewed, {
    subscription: (id) => findSubscription(ctx, id),
    openInvoice: (id, choice) => findOpenInvoice(ctx, id, choice),
    hasBeenMember: (userId) => hasBeenMember(ctx, userId),
    tier: (slug) => tierBySlug(ctx, slug),
  })

/** Many people's state lines, in their order, with one statement per kind of row. */
export function stateLines(ctx: Context, people: readonly Viewed[]): string[] {
  const billed = readBilled(
    ctx,
    people.map(({ id, access: { subscriptionId } }) => ({ id, subscriptionId })),
  )
  const tier = tiersBySlug(ctx)
  return people.map((person) => stateLine(viewFrom(person, { ...billed, tier })))
}

function viewFrom({ id, access, isAdmin }: Viewed, rows: Rows): BillingSubscription {
  const nextBillingAt = access.nextBillingAt === null ? null : Math.floor(Date.parse(access.nextBillingAt) / 1000)
  const subscription = access.subscriptionId === null ? undefined : rows.subscription(access.subscriptionId)
  return {
    status: access.status,
    next_billing_date: nextBillingAt,
    label: isAdmin && !isRunning(access) ? 'Owner' : access.label,
    // An owner has access whatever the subscription, so there's nothing for them to fix.
    showsBanner: access.showsBanner && !isAdmin,
    hasAccess: access.hasAccess,
    isComplimentary: access.isComplimentary,
    isRevoked: access.isRevoked,
    isOwner: isAdmin,
    hasBeenMember: rows.hasBeenMember(id),
    plan: subscription === undefined ? null : planOf(rows, access, subscription),
    firstPaymentOn: access.firstPaymentOn,
    endsOn: access.endsOn,
    endedOn: endedOn(access, subscription),
    // Access the owners granted doesn't end with the grace period.
    graceEndsOn: access.isGranted ? null : access.graceEndsOn,
    offer: access.waitingStart === null ? access.offer : besideWaiting(access.offer),
    ...(access.isComplimentary && access.freeUntil !== null ? { freeUntil: access.freeUntil } : {}),
    ...(access.freeEndedOn === null ? {} : { freeEndedOn: access.freeEndedOn }),
    ...(subscription?.isNextFree ? { isNextFree: true } : {}),
    ...(subscription?.isNotPaid ? { isNotPaid: true } : {}),
    ...beingTakenOf(rows, access),
    nextPlan: subscription === undefined ? null : nextPlanOf(rows, subscription),
    ...(subscription === undefined ? {} : promisedOf(access, subscription)),
    ...(access.waitingStart === null ? {} : { waitingStart: toWaitingMembership(access.waitingStart) }),
    ...(access.pause === null ? {} : { pause: access.pause }),
    ...(access.pausedAccessEndsOn === null ? {} : { pausedAccessEndsOn: access.pausedAccessEndsOn }),
    openInvoice: openInvoiceOf(rows, access),
  }
}

const isRunning = ({ status }: Access) => status === 'active' || status === 'trialing'

function endedOn({ status }: Access, subscription: BilledSubscription | undefined): string | null {
  const at = status === 'canceled' ? subscription?.endedAt : null
  return at ? londonDay(new Date(at)) : null
}

const isOverdue = ({ status }: Access) => status === 'past_due' || status === 'unpaid'

function planOf(rows: Rows, access: Access, subscription: BilledSubscription): Plan {
  const { tierSlug, tierPriceId, chargeTotal, paidNet } = subscription
  // While a renewal is unpaid, show the last payment's tier and price. The renewal may be for another tier.
  const paid = isOverdue(access) && chargeTotal === null ? paidNet : null
  const price: PeriodPrice = paid === null ? (comingPrice(subscription) ?? chargeOf(subscription)) : withVat(paid)
  const priceId = price.months === 12 ? tierPriceId : null
  return {
    slug: tierSlug,
    name: rows.tier(tierSlug)?.name ?? tierSlug,
    ...price,
    ...(priceId === null ? {} : { priceId }),
  }
}

/** What each month costs from the next on, so that a discount that ends before it isn't in the price. Null where the provider doesn't say. */
function comingPrice({ nextPayment, nextTierSlug, chargeVatRate }: BilledSubscription): PeriodPrice | null {
  const [line, ...rest] = nextPayment?.lines.filter(({ isOther = false }) => !isOther) ?? []
  if (nextPayment?.isEveryMonth !== true || nextTierSlug !== null || line === undefined || rest.length > 0) return null
  const { net, vat } = line
  return { net, vat, total: net + vat, ...(chargeVatRate === vatRate ? {} : { vatRate: chargeVatRate }) }
}

export function toNextPayment({ at, lines, ...amounts }: NextPaymentFacts): NextPayment {
  const others = lines.flatMap(({ description, net, vat, isOther = false }) =>
    isOther ? [{ description, total: net + vat }] : [],
  )
  return { on: londonDay(new Date(at)), ...amounts, ...(others.length > 0 ? { others } : {}) }
}

export const toWaitingMembership = ({ at, payment }: WaitingStart): WaitingMembership => ({
  on: londonDay(new Date(at)),
  ...(payment === null ? {} : { payment: toNextPayment(payment) }),
})

/** A second one bought or resumed beside it would soon be charged too. */
const besideWaiting = (offer: Offer): Offer =>
  offer === 'pay_or_change_card' || offer === 'already_active' ? offer : 'nothing'

/** Only what will be collected, from a membership that goes on or at its end. */
function promisedOf(
  { status, endsOn }: Access,
  { nextPayment, collectionPause, collectionResumesAt, hasMethod }: BilledSubscription,
): Pick<BillingSubscription, 'nextPayment' | 'isCardMissing'> {
  if (nextPayment === null) return {}
  const isLast = status === 'past_due' && endsOn !== null && endsOn <= londonDay(new Date(nextPayment.at))
  if (status !== 'active' && status !== 'trialing' && !isLast) return {}
  const pause = { isCollectionPaused: collectionPause !== null, collectionResumesAt }
  if (!isCollectedAt(nextPayment.at, pause)) return {}
  const isCardMissing = !hasMethod && nextPayment.due > 0
  return { nextPayment: toNextPayment(nextPayment), ...(isCardMissing ? { isCardMissing } : {}) }
}

function nextPlanOf(
  rows: Rows,
  { nextTierSlug, nextTierAt, nextTierNet, nextTierPrice }: BilledSubscription,
): NextPlan | null {
  const tier = nextTierSlug === null ? undefined : rows.tier(nextTierSlug)
  if (tier === undefined || nextTierAt === null) return null
  return {
    slug: tier.slug,
    name: tier.name,
    ...(nextTierPrice ?? withVat(nextTierNet ?? tier.price)),
    from: londonDay(new Date(nextTierAt)),
  }
}

/**
 * For about an hour after a period starts its invoice is a draft, with the subscription active. A month that's free or paid from credit
 * charges nothing.
 */
function beingTakenOf(rows: Rows, { subscriptionId, status }: Access): { beingTaken?: number } {
  if (subscriptionId === null || status !== 'active') return {}
  if (rows.openInvoice(subscriptionId, { withDrafts: false }) !== undefined) return {}
  const draft = rows.openInvoice(subscriptionId, { withDrafts: true })
  return draft === undefined || draft.due === 0 ? {} : { beingTaken: draft.due }
}

/**
 * After failed payments it may still be a draft, and paying finalises it. Skips a first payment that was only started, and ended
 * memberships, which start again instead.
 */
function openInvoiceOf(rows: Rows, access: Access): OpenInvoice | null {
  if (access.subscriptionId === null || access.status === 'incomplete' || !isLive(access.status)) return null
  return rows.openInvoice(access.subscriptionId, { withDrafts: isOverdue(access) }) ?? null
}
