import { eq, sql } from 'drizzle-orm'
import * as v from 'valibot'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { membershipTiers } from '#api/db/schema/tiers.ts'
import { AppError, invalidField, notFound, versionConflict } from '#api/errors.ts'
import type { Owner } from '#api/identity/person.ts'
import { invalidateResponses } from '#api/serving/kept-answers.ts'
import {
  type AdminTier,
  AdminTierList,
  type TierChangeRequest,
  type TierVisibility,
} from '#shared/contract/admin-tier.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { countPayers } from './price-move-queries.ts'
import { allTiers, isSameName, knownTier, type Tier } from './service.ts'
import { bookedOfTiers } from './uses-queries.ts'

export function listAllTiers(ctx: Context): AdminTier[] {
  const counted = countPayers(ctx)
  const booked = bookedOfTiers(ctx)
  return v.parse(
    AdminTierList,
    allTiers(ctx).map((tier) => ({ ...toAdminTier(tier, counted), booked: booked(tier.slug) })),
  )
}

function toAdminTier(tier: Tier, counted: ReturnType<typeof countPayers>) {
  const prices = tier.prices.map(({ nextPrice: next, ...price }) => ({
    ...price,
    ...counted(({ priceId }) => priceId === price.id),
    nextPrice: next && { net: next.net, from: next.from },
  }))
  const next = prices.find(({ every }) => every === 'month')?.nextPrice ?? null
  return {
    ...tier,
    ...counted(({ tierSlug }) => tierSlug === tier.slug),
    prices,
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
export function changeTier(
  ctx: Context,
  owner: Owner,
  { slug, version, newDefault, ...wanted }: TierChangeRequest & { slug: TierSlug },
): AdminTier {
  const changed = transact(ctx, () => {
    const current = findAdminTier(ctx, slug)
    const fields = changedNames(current, wanted)
    if (fields.length === 0) return current
    if (version !== current.version) throw versionConflict({ sent: { ...current, ...wanted, version }, current })
    const { visibility, ...columns } = wanted
    // Hiding a tier keeps whether it's by invitation, for when it comes back.
    const shown: Shown = visibility === undefined ? {} : shownAs(visibility)
    if (wanted.name !== undefined && fields.includes('name')) assertNameIsFree(ctx, slug, wanted.name)
    if (newDefault !== undefined) moveDefault(ctx, newDefault)
    assertFits({ ...knownTier(ctx, slug), ...columns, ...shown }, wanted)
    if (shown.isActive === true && !current.isActive) assertRoom(ctx)
    if (columns.isPreselected && !current.isPreselected) preselectNone(ctx)
    storeTier(ctx, slug, { ...columns, ...shown })
    audit(ctx, owner.actor, 'tier.changed', { targetId: slug, detail: { tier: slug, fields } })
    return findAdminTier(ctx, slug)
  })
  invalidateResponses(ctx, ['pages'])
  return changed
}

type Shown = { isActive?: boolean; isByInvitation?: boolean }

const shownAs = (visibility: TierVisibility): Shown =>
  visibility === 'hidden' ? { isActive: false } : { isActive: true, isByInvitation: visibility === 'invitation' }

type Fitting = Pick<AdminTier, 'isDefault' | 'isActive' | 'isShown' | 'callsPerMonth' | 'callDuration'>

export function assertFits(tier: Fitting, wanted: { visibility?: TierVisibility | undefined }): void {
  const { isDefault, isActive, isShown, callsPerMonth, callDuration } = tier
  if (isDefault && !(isActive && isShown))
    throw invalidField(wanted.visibility === 'hidden' ? 'visibility' : 'isShown', defaultStays)
  if (callsPerMonth > 0 && callDuration === null) throw invalidField('callDuration', 'Enter how long a call is.')
}

export const defaultStays = 'This is the default tier. Choose another default first.'

const mostOffered = 12

/** Of the tiers that are offered. */
export function assertRoom(ctx: Context): void {
  if (allTiers(ctx).filter(({ isActive }) => isActive).length < mostOffered) return
  throw new AppError('conflict', `You can have up to ${mostOffered} tiers on sale. Retire one first.`)
}

/** In the caller's transaction, in which another tier may then be retired or deleted. */
export function moveDefault(ctx: Context, slug: TierSlug): void {
  const tier = knownTier(ctx, slug)
  if (tier.isDefault) return
  if (!(tier.isActive && tier.isShown))
    throw invalidField('newDefault', 'The default tier has to be on sale and shown on the site.')
  const before = allTiers(ctx).find(({ isDefault }) => isDefault)
  if (before !== undefined) storeTier(ctx, before.slug, { isDefault: false })
  storeTier(ctx, slug, { isDefault: true })
}

/** As a change of that tier: an owner who has it open would otherwise preselect it again by saving something else. */
export function preselectNone(ctx: Context): void {
  const before = allTiers(ctx).find(({ isPreselected }) => isPreselected)
  if (before !== undefined) storeTier(ctx, before.slug, { isPreselected: false })
}

/** Increments the version. Call it in the caller's transaction. */
export function storeTier(ctx: Context, slug: TierSlug, row: Partial<typeof membershipTiers.$inferInsert>): void {
  ctx.db
    .update(membershipTiers)
    .set({ ...row, version: sql`${membershipTiers.version} + 1`, updatedAt: ctx.now().toISOString() })
    .where(eq(membershipTiers.slug, slug))
    .run()
}

function changedNames(current: AdminTier, wanted: object): string[] {
  const before: Record<string, unknown> = current
  return Object.entries(wanted)
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]))
    .map(([name]) => name)
}

/** `slug` is the tier's own, or null for one to come. */
export function assertNameIsFree(ctx: Context, slug: TierSlug | null, name: string): void {
  const others = allTiers(ctx).filter((tier) => tier.slug !== slug)
  if (others.some((tier) => isSameName(tier.name, name))) throw invalidField('name', 'Another tier has this name.')
}
