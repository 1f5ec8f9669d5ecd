import { and, count, eq, gt, isNotNull, ne, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Context } from '#api/context.ts'
import { customerBelongsTo } from '#api/db/customers.ts'
import { defaultTier } from '#api/db/default-tier.ts'
import { isOneOf, nullable, settledPeriod, tookMoney } from '#api/db/expressions.ts'
import { preparedQuery, unplanned } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import type { WaitingStart } from '#api/db/schema/next-payment.ts'
import { users } from '#api/db/schema/people.ts'
import { providerInvoices } from '#api/db/schema/provider.ts'
import { endedStatuses, subscriptions } from '#api/db/schema/subscriptions.ts'
import { subscriptionStatuses } from '#shared/contract/billing.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { londonDay } from '#shared/rules/london.ts'
import {
  type AccessOverride,
  accessOf,
  graceMs,
  type Membership,
  membershipOf,
  membershipStates,
  type SubscriptionFacts,
} from '#shared/rules/membership.ts'

/** What a person may do now, computed per request from rows and the billing clock. */
export type Access = Membership & {
  hasAccess: boolean
  isComplimentary: boolean
  isRevoked: boolean
  isGranted: boolean
  /** The last day of free access; null if it has no end. */
  freeUntil: string | null
  /** The last day of free access that has run out; null if there was none. */
  freeEndedOn: string | null
  /** The tier whose videos they see; null without access. */
  tier: TierSlug | null
  subscriptionId: string | null
  /** A membership that's set to begin later. Known while none goes on. */
  waitingStart: WaitingStart | null
}

export type MembershipRow = {
  accessOverride: AccessOverride
  accessUntil: string | null
  subscriptionId: string | null
  status: SubscriptionFacts['status'] | null
  isSettled: boolean | null
  isUnrecognised: boolean | null
  tierSlug: TierSlug | null
  currentPeriodEnd: string | null
  trialEnd: string | null
  cancelAt: string | null
  cancelAtPeriodEnd: boolean | null
  collectionPause: string | null
  collectionResumesAt: string | null
  pausedFor: string | null
  pausedAccessUntil: string | null
  oldestUnpaidRenewal: string | null
  lastPaidTier: TierSlug | null
  defaultTier: TierSlug
  waitingStart: WaitingStart | null
}

const unpaid = alias(providerInvoices, 'unpaid')
const paid = alias(providerInvoices, 'paid')
const payer = alias(customers, 'payer')
const candidate = alias(subscriptions, 'candidate')

/** When the oldest renewal since the last paid one was created, open or given up. */
const oldestUnpaidRenewal = sql`case when ${isOneOf(subscriptions.status, 'past_due', 'unpaid')} then (
  select min(${unpaid.created}) from ${providerInvoices} ${unpaid}
  where ${and(
    eq(unpaid.subscriptionId, subscriptions.id),
    isOneOf(unpaid.status, 'open', 'uncollectible'),
    isOneOf(unpaid.billingReason, 'subscription_cycle'),
  )} and ${unpaid.created} > coalesce((
    select max(${paid.created}) from ${providerInvoices} ${paid}
    where ${and(eq(paid.subscriptionId, subscriptions.id), settledPeriod(paid))}), '')) end`

/** One that names no tier is paid at Stripe, unless a renewal says otherwise: `stateOf` in `shared/rules/membership.ts` says the same. */
export const isPaymentDue = and(
  isOneOf(subscriptions.status, 'past_due', 'unpaid'),
  or(ne(subscriptions.status, 'unpaid'), eq(subscriptions.isUnrecognised, false), isNotNull(oldestUnpaidRenewal)),
)

/** Computed only if needed: someone with free access has the tier it was given for, or else they last paid for. */
const lastPaidTier = sql`case when ${isOneOf(users.accessOverride, 'granted')} then coalesce(${users.accessTier}, (
  select ${paid.tierSlug} from ${providerInvoices} ${paid} join ${customers} ${payer} on ${payer.id} = ${paid.customerId}
  where ${and(customerBelongsTo(users.id, payer), tookMoney(paid), isNotNull(paid.tierSlug))}
  order by ${paid.created} desc limit 1)) end`

/** For a query of `users` that left-joins `customers` on `customerOfUser` and `subscriptions` on `currentSubscription`. */
export const membershipFields = {
  accessOverride: users.accessOverride,
  accessUntil: users.accessUntil,
  subscriptionId: nullable(subscriptions.id),
  status: nullable(subscriptions.status),
  isSettled: nullable(subscriptions.isSettled),
  isUnrecognised: nullable(subscriptions.isUnrecognised),
  tierSlug: nullable(subscriptions.tierSlug),
  currentPeriodEnd: subscriptions.currentPeriodEnd,
  trialEnd: subscriptions.trialEnd,
  cancelAt: subscriptions.cancelAt,
  cancelAtPeriodEnd: nullable(subscriptions.cancelAtPeriodEnd),
  collectionPause: subscriptions.collectionPause,
  collectionResumesAt: subscriptions.collectionResumesAt,
  pausedFor: subscriptions.pausedFor,
  pausedAccessUntil: subscriptions.pausedAccessUntil,
  oldestUnpaidRenewal: nullable(providerInvoices.created, oldestUnpaidRenewal),
  lastPaidTier: nullable(providerInvoices.tierSlug, lastPaidTier),
  defaultTier,
  waitingStart: nullable(customers.waitingStart),
}

export const customerOfUser: SQL = eq(customers.userId, users.id)

/** The live subscription, else the last to end: a duplicate beside it was newer, and cancelled before. */
export const currentSubscription: SQL = eq(
  subscriptions.id,
  sql`(select ${candidate.id} from ${subscriptions} ${candidate} where ${eq(candidate.customerId, customers.id)}
    order by ${isOneOf(candidate.status, ...endedStatuses)}, coalesce(${candidate.endedAt}, ${candidate.created}) desc,
      ${candidate.created} desc limit 1)`,
)

/** `where` may use the membership fields. */
export const countUsers = ({ db }: Context, where: SQL | undefined): number =>
  db
    .select({ users: count() })
    .from(users)
    .leftJoin(customers, customerOfUser)
    .leftJoin(subscriptions, currentSubscription)
    .where(where)
    .get()?.users ?? 0

/** The joins `membershipFields` needs, for raw statements. */
export const joinedMembership: SQL = sql`left join ${customers} on ${customerOfUser}
  left join ${subscriptions} on ${currentSubscription}`

export const isGrantedAt = (billingNow: Date): SQL =>
  sql`(${isOneOf(users.accessOverride, 'granted')} and coalesce(${users.accessUntil} > ${billingNow.toISOString()}, 1))`

const statusesGiving = (access: 'yes' | 'in_grace' | 'while_paid') =>
  subscriptionStatuses.filter((status) => membershipStates[status].access === access)

function subscriptionGivesAccessAt(billingNow: Date): SQL {
  const { status, isSettled, pausedAccessUntil } = subscriptions
  const graceBegan = new Date(billingNow.getTime() - graceMs).toISOString()
  const givesAccess = or(
    and(isOneOf(status, ...statusesGiving('yes')), or(ne(status, 'trialing'), eq(isSettled, true))),
    and(
      isOneOf(status, ...statusesGiving('in_grace')),
      sql`coalesce(${oldestUnpaidRenewal} > ${graceBegan}, ${isOneOf(status, 'past_due')})`,
    ),
    and(isOneOf(status, ...statusesGiving('while_paid')), gt(pausedAccessUntil, billingNow.toISOString())),
  )
  return sql`coalesce(${givesAccess}, 0)`
}

/** For lists, in a query with the joins of `membershipFields`: `hasAccess` as `accessFrom` computes it. */
export const hasAccessAt = (billingNow: Date): SQL =>
  sql`case when ${isGrantedAt(billingNow)} then 1 when ${isOneOf(users.accessOverride, 'revoked')} then 0
    else ${subscriptionGivesAccessAt(billingNow)} end`

/** The tier of someone with access in such a query, as `accessFrom` computes it. */
export const tierAt = (billingNow: Date): SQL =>
  sql`case when ${subscriptionGivesAccessAt(billingNow)} then ${subscriptions.tierSlug} else coalesce(${lastPaidTier}, ${defaultTier}) end`

export function accessFrom(row: MembershipRow, billingNow: Date): Access {
  const membership = membershipOf(factsOf(row), billingNow)
  const override = overrideAt(row, billingNow)
  const access = accessOf(override, membership.subscriptionGivesAccess)
  const ownTier = membership.subscriptionGivesAccess ? row.tierSlug : (row.lastPaidTier ?? row.defaultTier)
  const isGranted = override === 'granted'
  const freeDay = row.accessUntil === null ? null : lastDayBefore(row.accessUntil)
  return {
    ...membership,
    ...access,
    isGranted,
    freeUntil: isGranted ? freeDay : null,
    freeEndedOn: row.accessOverride === 'granted' && !isGranted ? freeDay : null,
    tier: access.hasAccess ? ownTier : null,
    subscriptionId: row.subscriptionId,
    waitingStart: row.waitingStart,
  }
}

/** Once its last day is over, free access counts as never given. */
const overrideAt = ({ accessOverride, accessUntil }: MembershipRow, billingNow: Date): AccessOverride =>
  accessOverride === 'granted' && accessUntil !== null && Date.parse(accessUntil) <= billingNow.getTime()
    ? null
    : accessOverride

/** It ends when a day starts, so its last day is the one before. */
const lastDayBefore = (end: string) => londonDay(new Date(Date.parse(end) - 1))

function factsOf(row: MembershipRow): SubscriptionFacts | null {
  if (row.status === null || row.tierSlug === null) return null
  return {
    status: row.status,
    isSettled: row.isSettled === true,
    isUnrecognised: row.isUnrecognised === true,
    tierSlug: row.tierSlug,
    currentPeriodEnd: row.currentPeriodEnd,
    trialEnd: row.trialEnd,
    endsAt: row.cancelAt ?? (row.cancelAtPeriodEnd === true ? row.currentPeriodEnd : null),
    oldestUnpaidRenewal: row.oldestUnpaidRenewal,
    isCollectionPaused: row.collectionPause !== null,
    collectionResumesAt: row.collectionResumesAt,
    pausedFor: row.pausedFor,
    pausedAccessUntil: row.pausedAccessUntil,
  }
}

const membershipById = preparedQuery<{ userId: string }>()((db, { userId }) =>
  db
    .select(membershipFields)
    .from(users)
    .leftJoin(customers, customerOfUser)
    .leftJoin(subscriptions, currentSubscription)
    .where(eq(users.id, unplanned(userId))),
)

export const accessOfUser = (ctx: Context, userId: string): Access =>
  accessFrom(membershipById.get(ctx, { userId }) ?? withoutRows, ctx.billingNow())

const withoutRows: MembershipRow = {
  accessOverride: null,
  accessUntil: null,
  subscriptionId: null,
  status: null,
  isSettled: null,
  isUnrecognised: null,
  tierSlug: null,
  currentPeriodEnd: null,
  trialEnd: null,
  cancelAt: null,
  cancelAtPeriodEnd: null,
  collectionPause: null,
  collectionResumesAt: null,
  pausedFor: null,
  pausedAccessUntil: null,
  oldestUnpaidRenewal: null,
  lastPaidTier: null,
  defaultTier: '',
  waitingStart: null,
}
