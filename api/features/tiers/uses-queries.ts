import { and, count, desc, eq, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Context } from '#api/context.ts'
import { isOneOf, jsonFieldOf, nullable } from '#api/db/expressions.ts'
import { countWhere } from '#api/db/query.ts'
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
import { monthlyOf } from '#shared/rules/mrr.ts'
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
    'membership to come',
    'memberships to come',
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
    'change of MRR',
    'changes of MRR',
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

const payersOf = ({ db }: Context, slug: TierSlug): TierUses['payers'] =>
  db
    .select({ every: nullable(tierPrices.every), yearlyNet: subscriptions.yearlyNet, members: count() })
    .from(subscriptions)
    .leftJoin(tierPrices, eq(tierPrices.id, subscriptions.tierPriceId))
    .where(and(isBilled, eq(subscriptions.tierSlug, slug)))
    .groupBy(tierPrices.every, subscriptions.yearlyNet)
    .orderBy(desc(count()), desc(subscriptions.yearlyNet))
    .all()
    .map(({ yearlyNet, ...payers }) => ({ ...payers, net: monthlyOf(yearlyNet) }))

/** Figures for an owner who is about to change, retire or delete a tier. */
export function figuresOf(ctx: Context, slug: TierSlug) {
  return {
    payers: payersOf(ctx, slug),
    moving: countWhere(ctx, priceMoves, and(eq(priceMoves.tierSlug, slug), isNull(priceMoves.closedAt))),
    booked: countWhere(
      ctx,
      subscriptions,
      and(
        eq(subscriptions.nextTierSlug, slug),
        sql`${subscriptions.tierSlug} <> ${slug}`,
        isNotNull(subscriptions.nextTierAt),
      ),
    ),
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
