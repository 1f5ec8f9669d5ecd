import { eq } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { membershipTiers, tierPrices, tierSlugs } from '#api/db/schema/tiers.ts'
import { AppError, invalidField, versionConflict } from '#api/errors.ts'
import type { Owner } from '#api/identity/person.ts'
import { runOncePerKey } from '#api/serving/idempotency.ts'
import { invalidateResponses } from '#api/serving/kept-answers.ts'
import {
  AdminTier,
  type NewTierRequest,
  type TierDeleteRequest,
  type TierOrderRequest,
  type TierRetireRequest,
  type TierVersionRequest,
} from '#shared/contract/admin-tier.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { isLikelyPrice } from '#shared/rules/tier-prices.ts'
import { slugOf } from '#shared/values/posts.ts'
import {
  assertFits,
  assertNameIsFree,
  assertRoom,
  defaultStays,
  findAdminTier,
  listAllTiers,
  moveDefault,
  preselectNone,
  storeTier,
} from './admin-service.ts'
import { allTiers, assertTier, knownTier, type Tier } from './service.ts'
import { namedBy, ownVideosOf } from './uses-queries.ts'
import { seeVideosLike } from './videos-service.ts'

type New = { request: NewTierRequest; key: string | undefined }

/** Adds a tier at the end. Its prices are made at Stripe when they're first sold. Repeating a request with the same key adds nothing. */
export function addTier(ctx: Context, owner: Owner, { request, key }: New): AdminTier {
  const added = runOncePerKey(ctx, { scope: 'tier', key, body: request }, AdminTier, () => {
    const { prices, videosLike, slug: wanted, ...columns } = request
    assertNameIsFree(ctx, null, request.name)
    const slug = freeSlug(ctx, wanted, request.name)
    const { callDuration = null, callsPerMonth = 0, isShown = true, isActive } = columns
    assertFits({ isDefault: false, isActive, isShown, callsPerMonth, callDuration }, {})
    const unlikely = prices.findIndex((price) => !isLikelyPrice(price))
    if (unlikely >= 0) throw invalidField(`prices.${unlikely}.net`, 'Check the price.')
    if (isActive) assertRoom(ctx)
    if (videosLike !== undefined) assertTier(ctx, 'videosLike', videosLike)
    if (columns.isPreselected) preselectNone(ctx)
    const stamps = { createdAt: ctx.now().toISOString(), updatedAt: ctx.now().toISOString() }
    const orderIndex = Math.max(-1, ...allTiers(ctx).map((tier) => tier.orderIndex)) + 1
    insertRow(ctx, membershipTiers, { id: ctx.newId(), slug, ...columns, orderIndex, ...stamps })
    for (const price of prices) insertRow(ctx, tierPrices, { id: ctx.newId(), tierSlug: slug, ...price, ...stamps })
    if (videosLike !== undefined) seeVideosLike(ctx, slug, videosLike)
    audit(ctx, owner.actor, 'tier.added', { targetId: slug, detail: { tier: slug, name: request.name } })
    return findAdminTier(ctx, slug)
  })
  invalidateResponses(ctx, ['pages'])
  return added
}

/** A slug isn't given again, even after its tier was deleted. One that's made of the name gets a number then. */
function freeSlug(ctx: Context, wanted: TierSlug | undefined, name: string): TierSlug {
  const used = new Set(
    ctx.db
      .select()
      .from(tierSlugs)
      .all()
      .map(({ slug }) => slug),
  )
  if (wanted !== undefined) {
    if (used.has(wanted)) throw invalidField('slug', 'A tier already has this short name, or used to. Choose another.')
    return wanted
  }
  const made = slugOf(name).slice(0, 36).replace(/-+$/, '') || 'tier'
  let place = 2
  while (used.has(`${made}-${place}`)) place += 1
  return used.has(made) ? `${made}-${place}` : made
}

export function orderTiers(ctx: Context, owner: Owner, { slugs }: TierOrderRequest): AdminTier[] {
  transact(ctx, () => {
    const before = allTiers(ctx).map(({ slug }) => slug)
    if (JSON.stringify(slugs) === JSON.stringify(before)) return
    if (JSON.stringify(slugs.toSorted()) !== JSON.stringify(before.toSorted()))
      throw invalidField('slugs', 'The tiers have changed. Reload the list.')
    for (const [orderIndex, slug] of slugs.entries())
      ctx.db.update(membershipTiers).set({ orderIndex }).where(eq(membershipTiers.slug, slug)).run()
    audit(ctx, owner.actor, 'tier.ordered', { detail: { order: slugs.join(', ') } })
  })
  invalidateResponses(ctx, ['pages'])
  return listAllTiers(ctx)
}

type Act = { slug: TierSlug; version: number; newDefault?: TierSlug | undefined }

/** Runs an act on a tier that must be as the owner saw it. `isDone`: it was done before, and its answer was lost. */
function act(
  ctx: Context,
  { slug, version, newDefault }: Act,
  isDone: (tier: Tier) => boolean,
  work: (tier: Tier) => void,
): AdminTier {
  const after = transact(ctx, () => {
    const now = knownTier(ctx, slug)
    if (!isDone(now)) {
      assertSeen(ctx, now, version)
      if (newDefault !== undefined && now.isDefault) moveDefault(ctx, newDefault)
      work(knownTier(ctx, slug))
    }
    return findAdminTier(ctx, slug)
  })
  invalidateResponses(ctx, ['pages'])
  return after
}

function assertSeen(ctx: Context, { slug, version: now }: Tier, version: number): void {
  if (version !== now) throw versionConflict({ sent: { slug, version }, current: findAdminTier(ctx, slug) })
}

/** Members keep it and its price. Nobody joins it or changes to it until it's restored. */
export const retireTier = (ctx: Context, owner: Owner, wanted: TierRetireRequest & { slug: TierSlug }): AdminTier =>
  act(
    ctx,
    wanted,
    ({ isActive }) => !isActive,
    ({ slug, isDefault }) => {
      if (isDefault) throw new AppError('conflict', defaultStays)
      storeTier(ctx, slug, { isActive: false })
      audit(ctx, owner.actor, 'tier.retired', { targetId: slug, detail: { tier: slug } })
    },
  )

export const restoreTier = (ctx: Context, owner: Owner, wanted: TierVersionRequest & { slug: TierSlug }): AdminTier =>
  act(
    ctx,
    wanted,
    ({ isActive }) => isActive,
    ({ slug }) => {
      assertRoom(ctx)
      storeTier(ctx, slug, { isActive: true })
      audit(ctx, owner.actor, 'tier.restored', { targetId: slug, detail: { tier: slug } })
    },
  )

export const makeDefault = (ctx: Context, owner: Owner, wanted: TierVersionRequest & { slug: TierSlug }): AdminTier =>
  act(
    ctx,
    wanted,
    ({ isDefault }) => isDefault,
    ({ slug }) => {
      moveDefault(ctx, slug)
      audit(ctx, owner.actor, 'tier.default', { targetId: slug, detail: { tier: slug } })
    },
  )

type Deletion = TierDeleteRequest & { slug: TierSlug }

/** For good, with its prices, rate and rows of videos. Only one that nothing names: the database refuses any other. */
export function deleteTier(ctx: Context, owner: Owner, { slug, version, newDefault, leavesVideos }: Deletion) {
  transact(ctx, () => {
    const current = knownTier(ctx, slug)
    assertSeen(ctx, current, version)
    if (current.isDefault && newDefault === undefined) throw new AppError('conflict', defaultStays)
    const named = namedBy(ctx, slug)
    if (named.length > 0)
      throw new AppError(
        'conflict',
        `${current.name} is still used by ${listOf(named)}, so you can’t delete it. Retire it instead.`,
      )
    const own = ownVideosOf(ctx, slug).map(({ title }) => `“${title}”`)
    if (own.length > 0 && !leavesVideos)
      throw new AppError(
        'conflict',
        `No other tier sees ${listOf(own)}. Give ${own.length === 1 ? 'it' : 'them'} to another tier first, or delete anyway.`,
      )
    if (current.isDefault && newDefault !== undefined) moveDefault(ctx, newDefault)
    ctx.db.delete(membershipTiers).where(eq(membershipTiers.slug, slug)).run()
    audit(ctx, owner.actor, 'tier.deleted', { targetId: slug, detail: { tier: slug, name: current.name } })
  })
  invalidateResponses(ctx, ['pages'])
  return { success: true as const }
}

const listOf = (words: readonly string[]) => new Intl.ListFormat('en-GB').format(words)
