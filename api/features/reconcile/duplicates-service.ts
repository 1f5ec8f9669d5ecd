import { and, eq, sql } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import type { Customer } from '#api/db/customers.ts'
import { insertIfAbsent } from '#api/db/insert.ts'
import { preparedQuery } from '#api/db/query.ts'
import { auditEntries } from '#api/db/schema/audit.ts'
import { duplicateSubscriptions } from '#api/db/schema/subscriptions.ts'
import type { ProviderState } from '#api/stripe/read-customer.ts'
import type { DisputeState } from '#api/stripe/read-invoices.ts'
import type { SubscriptionState, UnrecognisedSubscription } from '#api/stripe/read-subscriptions.ts'
import type { AuditAction } from '#shared/contract/audit.ts'
import { isLive } from '#shared/rules/membership.ts'

type Choice = { chosen: SubscriptionState | undefined; duplicates: SubscriptionState[] }

/** An unrecognised subscription may not be a membership, so we never end or refund it. An owner has to look at it. */
export function chooseSubscription({ subscriptions, unrecognised }: ProviderState): Choice {
  const ids = new Set(unrecognised.map(({ id }) => id))
  const isUnrecognised: IsUnrecognised = ({ id }) => ids.has(id)
  // The provider lists newest first. Reversed, the older of two equals comes first.
  const [chosen, ...others] = subscriptions
    .filter(({ status }) => isLive(status))
    .toReversed()
    .sort(byPrecedence(isUnrecognised))
  return { chosen, duplicates: others.filter((other) => !isUnrecognised(other)) }
}

type IsUnrecognised = (subscription: SubscriptionState) => boolean

const precedence = ['active', 'trialing', 'past_due', 'paused', 'unpaid', 'unrecognised', 'incomplete']

/** The one further along wins, then the older. An unrecognised one wins only if nothing else was paid or set up. */
const byPrecedence = (isUnrecognised: IsUnrecognised) => (one: SubscriptionState, other: SubscriptionState) => {
  const rank = (subscription: SubscriptionState) => {
    const status = subscription.isSettled ? subscription.status : 'incomplete'
    const isBehind = isUnrecognised(subscription) && status !== 'incomplete'
    return precedence.indexOf(isBehind ? 'unrecognised' : status)
  }
  return rank(one) - rank(other) || one.created.localeCompare(other.created)
}

/** Records a duplicate in a sync's transaction. If cancelling or refunding it fails, the next sync tries again. */
export function recordDuplicate(ctx: Context, customer: Customer, stripeSubscriptionId: string): void {
  const openedAt = ctx.billingNow().toISOString()
  if (!insertIfAbsent(ctx, duplicateSubscriptions, { stripeSubscriptionId, customerId: customer.id, openedAt })) return
  const targetId = customer.userId ?? customer.id
  audit(ctx, 'system', 'subscription.double', { targetId, detail: { subscription: stripeSubscriptionId } })
}

type Report = { action: AuditAction; subject: string; value: string }

/** Who it belonged to then: a removed member's customer has no person. */
const reportOf = preparedQuery<Report>()((db, { action, subject, value }) =>
  db
    .select({ id: auditEntries.id })
    .from(auditEntries)
    .where(and(eq(auditEntries.action, action), eq(sql`${auditEntries.detail} ->> ${subject}`, value)))
    .limit(1),
)

/** Reports live subscriptions whose tier or status is a guess to the owners, once each. Call it in a sync's transaction. */
export function reportUnrecognised(ctx: Context, customer: Customer, found: readonly UnrecognisedSubscription[]): void {
  const targetId = customer.userId ?? customer.id
  const action = 'subscription.unrecognised'
  for (const { id, status, stripePriceId } of found) {
    if (reportOf.get(ctx, { action, subject: 'subscription', value: id }) !== undefined) continue
    audit(ctx, 'system', action, { targetId, detail: { subscription: id, status, price: stripePriceId } })
    ctx.log.warn('subscription not recognised', { subscription: id, status, price: stripePriceId })
  }
}

/** Reports disputes to the owners, once each, and changes nothing else. Call it in a sync's transaction. */
export function reportDisputes(ctx: Context, customer: Customer, found: readonly DisputeState[]): void {
  const targetId = customer.userId ?? customer.id
  const action = 'invoice.disputed'
  for (const { charge, invoice, amount } of found) {
    if (reportOf.get(ctx, { action, subject: 'charge', value: charge }) !== undefined) continue
    audit(ctx, 'system', action, { targetId, detail: { charge, invoice, amount } })
    ctx.log.warn('payment disputed', { charge, invoice, amount })
  }
}
