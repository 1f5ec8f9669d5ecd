import { and, count, desc, eq, isNotNull, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Context } from '#api/context.ts'
import { displayName } from '#api/db/customers.ts'
import { isOneOf, jsonFieldOf, nullable } from '#api/db/expressions.ts'
import { countWhere, preparedQuery } from '#api/db/query.ts'
import { commissionLedger } from '#api/db/schema/commission.ts'
import { customers } from '#api/db/schema/customers.ts'
import { membershipApplications } from '#api/db/schema/forms.ts'
import { memberInvitations } from '#api/db/schema/invitations.ts'
import { invoices } from '#api/db/schema/invoices.ts'
import { announcementTiers, mailingTiers } from '#api/db/schema/outreach.ts'
import { users } from '#api/db/schema/people.ts'
import { priceMoves } from '#api/db/schema/price-moves.ts'
import { providerInvoices } from '#api/db/schema/provider.ts'
import { revenueChanges } from '#api/db/schema/revenue.ts'
import { adoptedSubscriptions, purchaseAttempts, subscriptions, tierUpgrades } from '#api/db/schema/subscriptions.ts'
import { tierPrices } from '#api/db/schema/tiers.ts'
import { memberVideos, videoTiers } from '#api/db/schema/videos.ts'
import type { TierUses } from '#shared/contract/admin-tier.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { londonDay } from '#shared/rules/london.ts'
import { periodAmount } from '#shared/rules/mrr.ts'
import { plural } from '#shared/rules/plural.ts'
import { isBilled } from './price-move-queries.ts'

type Use = [table: SQLiteTable, names: (slug: TierSlug) => SQL | undefined, one: string, many?: string]

/** Everything that names a tier by a foreign key which keeps it, and what a customer’s schedule at Stripe will begin. */
const uses: readonly Use[] = [
  [users, (slug) => or(eq(users.membershipTier, slug), eq(users.accessTier, slug)), 'person', 'people'],
  [subscriptions, (slug) => or(eq(subscriptions.tierSlug, slug), eq(subscriptions.nextTierSlug, slug)), 'subscription'],
  [adoptedSubscriptions, (slug) => eq(adoptedSubscriptions.tierSlug, slug), 'adopted subscription'],
  [
    customers,
    (slug) => eq(jsonFieldOf(customers.waitingStart, 'tierSlug'), slug),
    'membership that hasn’t started',
    'memberships that haven’t started',
  ],
  [membershipApplications, (slug) => eq(membershipApplications.selectedTier, slug), 'application'],
  [memberInvitations, (slug) => eq(memberInvitations.tierSlug, slug), 'invitation'],
  [purchaseAttempts, (slug) => eq(purchaseAttempts.tierSlug, slug), 'started payment'],
  [tierUpgrades, (slug) => or(eq(tierUpgrades.tierSlug, slug), eq(tierUpgrades.fromTierSlug, slug)), 'upgrade'],
  [priceMoves, (slug) => eq(priceMoves.tierSlug, slug), 'price change'],
  [invoices, (slug) => eq(invoices.tierSlug, slug), 'invoice'],
  [providerInvoices, (slug) => eq(providerInvoices.tierSlug, slug), 'payment'],
  [commissionLedger, (slug) => eq(commissionLedger.tierSlug, slug), 'commission entry', 'commission entries'],
  [
    revenueChanges,
    (slug) => or(eq(revenueChanges.tierSlug, slug), eq(revenueChanges.tierBefore, slug)),
    'MRR change',
    'MRR changes',
  ],
  [mailingTiers, (slug) => eq(mailingTiers.tierSlug, slug), 'campaign'],
  [announcementTiers, (slug) => eq(announcementTiers.tierSlug, slug), 'announcement'],
]

/** What keeps a tier from being deleted, such as “2 people”. */
export const namedBy = (ctx: Context, slug: TierSlug): string[] =>
  uses.flatMap(([table, names, one, many]) => {
    const found = countWhere(ctx, table, names(slug))
    return found === 0 ? [] : [plural(found, one, many)]
  })

/** Videos that no other tier sees. */
export const ownVideosOf = ({ db }: Context, slug: TierSlug): TierUses['ownVideos'] =>
  db
    .select({ id: memberVideos.id, title: memberVideos.title })
    .from(videoTiers)
    .innerJoin(memberVideos, eq(memberVideos.id, videoTiers.videoId))
    .where(
      and(
        eq(videoTiers.tierSlug, slug),
        sql`not exists (select 1 from ${videoTiers} other where other."videoId" = ${videoTiers.videoId} and other."tierSlug" <> ${slug})`,
      ),
    )
    .orderBy(memberVideos.title)
    .all()

/** Of those who pay one sum. */
const mostPayersNamed = 5

const payerName = sql`coalesce(${displayName}, 'Removed account')`.mapWith(users.email)

/** Who pays what, in their own period. */
function payersOf({ db }: Context, slug: TierSlug): TierUses['payers'] {
  const { yearlyNet, chargeMonths, chargeDays } = subscriptions
  const pays = and(isBilled, eq(subscriptions.tierSlug, slug))
  const sums = db
    .select({ yearlyNet, months: chargeMonths, days: chargeDays, members: count() })
    .from(subscriptions)
    .where(pays)
    .groupBy(yearlyNet, chargeMonths, chargeDays)
    .orderBy(desc(count()), desc(yearlyNet))
    .all()
  return sums.map(({ yearlyNet: yearly, ...sum }) => ({
    ...sum,
    net: periodAmount(yearly, sum),
    people: db
      .select({ memberId: nullable(users.id), name: payerName })
      .from(subscriptions)
      .innerJoin(customers, eq(customers.id, subscriptions.customerId))
      .leftJoin(users, eq(users.id, customers.userId))
      .where(and(pays, eq(yearlyNet, yearly), eq(chargeMonths, sum.months), sql`${chargeDays} is ${sum.days}`))
      .orderBy(sql`fold(${payerName})`, subscriptions.id)
      .limit(mostPayersNamed)
      .all(),
  }))
}

const movesOf = ({ db }: Context, slug: TierSlug): TierUses['moves'] =>
  db
    .select({
      net: priceMoves.toNet,
      every: sql`coalesce(${tierPrices.every}, 'month')`.mapWith(tierPrices.every),
      members: count(),
      from: sql`min(${priceMoves.movesAt})`.mapWith(priceMoves.movesAt),
      to: sql`max(${priceMoves.movesAt})`.mapWith(priceMoves.movesAt),
    })
    .from(priceMoves)
    .leftJoin(tierPrices, eq(tierPrices.id, priceMoves.tierPriceId))
    .where(and(eq(priceMoves.tierSlug, slug), isNull(priceMoves.closedAt)))
    .groupBy(priceMoves.toNet, tierPrices.every)
    .orderBy(desc(count()))
    .all()
    .map(({ from, to, ...move }) => ({ ...move, from: londonDay(new Date(from)), to: londonDay(new Date(to)) }))

const mostBookedNamed = 5

const bookedChanges = preparedQuery()((db) =>
  db
    .select({
      slug: subscriptions.nextTierSlug,
      at: subscriptions.nextTierAt,
      memberId: nullable(users.id),
      name: payerName,
    })
    .from(subscriptions)
    .innerJoin(customers, eq(customers.id, subscriptions.customerId))
    .leftJoin(users, eq(users.id, customers.userId))
    .where(and(isNotNull(subscriptions.nextTierAt), ne(subscriptions.nextTierSlug, subscriptions.tierSlug), isBilled))
    .orderBy(subscriptions.nextTierAt, subscriptions.id),
)

/** Who comes to a tier from another with the next bill, the first first. What's booked goes ahead though the tier is retired. */
export function bookedOfTiers(ctx: Context): (slug: TierSlug) => TierUses['booked'] {
  const bySlug = Map.groupBy(bookedChanges.all(ctx), ({ slug }) => slug)
  return (slug) => {
    const found = bySlug.get(slug) ?? []
    const people = found
      .slice(0, mostBookedNamed)
      .map(({ memberId, name, at }) => ({ memberId, name, on: londonDay(new Date(at ?? '')) }))
    return { members: found.length, people }
  }
}

/** Figures for an owner who is about to change, retire or delete a tier. */
export function figuresOf(ctx: Context, slug: TierSlug) {
  return {
    payers: payersOf(ctx, slug),
    moves: movesOf(ctx, slug),
    booked: bookedOfTiers(ctx)(slug),
    granted: countWhere(ctx, users, and(isOneOf(users.accessOverride, 'granted'), eq(users.accessTier, slug))),
    openInvitations: countWhere(
      ctx,
      memberInvitations,
      and(eq(memberInvitations.tierSlug, slug), isNull(memberInvitations.closedAt)),
    ),
    pendingApplications: countWhere(
      ctx,
      membershipApplications,
      and(eq(membershipApplications.selectedTier, slug), isOneOf(membershipApplications.status, 'pending')),
    ),
    videos: countWhere(ctx, videoTiers, eq(videoTiers.tierSlug, slug)),
    ownVideos: ownVideosOf(ctx, slug),
    namedBy: namedBy(ctx, slug),
  }
}
