import { count, eq, sql } from 'drizzle-orm'
import * as v from 'valibot'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { preparedQuery } from '#api/db/query.ts'
import { membershipTiers } from '#api/db/schema/tiers.ts'
import { AppError, notFound, versionConflict } from '#api/errors.ts'
import type { Owner } from '#api/identity/person.ts'
import { invalidateResponses } from '#api/serving/kept-answers.ts'
import {
  type AdminTier,
  AdminTierList,
  type TierChangeRequest,
  type TierRequest,
  type TierVisibility,
} from '#shared/contract/admin-tier.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { membersOfTier, movesOfTier } from './price-move-queries.ts'
import { allTiers, type Tier } from './service.ts'

const counts = preparedQuery()((db) =>
  db
    .select({
      slug: membershipTiers.slug,
      members: membersOfTier(membershipTiers.slug),
      moving: movesOfTier(membershipTiers.slug),
    })
    .from(membershipTiers),
)

const none = { members: 0, moving: 0 }

export const listAllTiers = (ctx: Context): AdminTier[] => {
  const counted = new Map(counts.all(ctx).map((row) => [row.slug, row]))
  return v.parse(
    AdminTierList,
    allTiers(ctx).map((tier) => toAdminTier(tier, counted.get(tier.slug) ?? none)),
  )
}

const toAdminTier = ({ prices, ...tier }: Tier, counted: typeof none) => {
  const next = prices.find(({ every }) => every === 'month')?.nextPrice ?? null
  return {
    ...tier,
    ...counted,
    nextPrice: next && { price: next.net, from: next.from },
    visibility: visibilityOf(tier),
  }
}

const visibilityOf = ({ isActive, isByInvitation }: Pick<Tier, 'isActive' | 'isByInvitation'>): TierVisibility =>
  !isActive ? 'hidden' : isByInvitation ? 'invitation' : 'open'

export function findAdminTier(ctx: Context, slug: TierSlug): AdminTier {
  const found = listAllTiers(ctx).find((tier) => tier.slug === slug)
  if (found === undefined) throw notFound('This tier')
  return found
}

/** Sending the same change again after a lost response isn't a conflict. */
export function changeTierText(
  ctx: Context,
  owner: Owner,
  { slug, version, ...wanted }: TierChangeRequest & { slug: TierSlug },
): AdminTier {
  const changed = transact(ctx, () => {
    const current = findAdminTier(ctx, slug)
    const fields = changedNames(current, wanted)
    if (fields.length === 0) return current
    if (version !== current.version) throw versionConflict({ sent: { ...wanted, version }, current })
    assertNameIsFree(ctx, slug, wanted.name)
    const { visibility, ...texts } = wanted
    // Hiding a tier keeps whether it's by invitation, for when it comes back.
    const shown = visibility === 'hidden' ? {} : { isByInvitation: visibility === 'invitation' }
    storeTier(ctx, slug, { ...texts, ...shown, isActive: visibility !== 'hidden' })
    audit(ctx, owner.actor, 'tier.changed', { targetId: slug, detail: { tier: slug, fields } })
    return findAdminTier(ctx, slug)
  })
  invalidateResponses(ctx, ['pages'])
  return changed
}

/** Increments the version. Call it in the caller's transaction. */
export function storeTier(ctx: Context, slug: TierSlug, row: Partial<typeof membershipTiers.$inferInsert>): void {
  ctx.db
    .update(membershipTiers)
    .set({ ...row, version: sql`${membershipTiers.version} + 1`, updatedAt: ctx.now().toISOString() })
    .where(eq(membershipTiers.slug, slug))
    .run()
}

function changedNames(current: AdminTier, wanted: TierRequest): string[] {
  const before: Record<string, unknown> = current
  return Object.entries(wanted)
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]))
    .map(([name]) => name)
}

function assertNameIsFree(ctx: Context, slug: TierSlug, name: string): void {
  const others = ctx.db
    .select({ n: count() })
    .from(membershipTiers)
    .where(sql`${membershipTiers.name} = ${name} and ${membershipTiers.slug} <> ${slug}`)
    .get()
  if (!others?.n) return
  const sentence = 'Another tier has this name.'
  throw new AppError('invalid', sentence, { fields: { name: sentence } })
}
