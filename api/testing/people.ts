import { eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { customers } from '#api/db/schema/customers.ts'
import { memberPhotos, users } from '#api/db/schema/people.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { memberVideos, videoTexts } from '#api/db/schema/videos.ts'
import { setVideoTiers } from '#api/db/video-tiers.ts'
import { tierSeeds } from '#data/seed/tiers.ts'
import { videoText } from '#data/seed/video-texts.ts'
import { videoSeeds } from '#data/seed/videos.ts'
import { photoPath } from '#shared/contract/photo.ts'
import type { TierSlug } from '#shared/contract/tier.ts'

export type TestPerson = { id: string; email: string }

export function addUser(ctx: Context, more: Partial<typeof users.$inferInsert> = {}): TestPerson {
  const id = more.id ?? ctx.newId()
  const at = ctx.now().toISOString()
  const email = more.email ?? `person-${id.slice(-8)}@alliance.test`
  ctx.db
    .insert(users)
    .values({ firstName: 'Danny', lastName: 'Marsh', createdAt: at, updatedAt: at, ...more, id, email })
    .run()
  return { id, email }
}

export type MemberOptions = { tier?: TierSlug; subscription?: Partial<typeof subscriptions.$inferInsert> } & Partial<
  typeof users.$inferInsert
>

/** A person with a subscription in our rows that Stripe doesn't know. */
export function addMember(
  ctx: Context,
  { tier = 'standard', subscription = {}, ...user }: MemberOptions = {},
): TestPerson {
  const person = addUser(ctx, user)
  const at = ctx.billingNow()
  const customerId = ctx.newId()
  ctx.db
    .insert(customers)
    .values({
      id: customerId,
      userId: person.id,
      stripeCustomerId: `cus_${customerId.slice(-12)}`,
      createdAt: at.toISOString(),
    })
    .run()
  ctx.db
    .insert(subscriptions)
    .values({
      id: `sub_${customerId.slice(-12)}`,
      customerId,
      status: 'active',
      tierSlug: tier,
      yearlyNet: (tierSeeds.find((seed) => seed.slug === tier)?.price ?? 0) * 12,
      currentPeriodStart: at.toISOString(),
      currentPeriodEnd: new Date(at.getTime() + 30 * 86_400_000).toISOString(),
      created: at.toISOString(),
      updatedAt: at.toISOString(),
      ...subscription,
    })
    .run()
  return person
}

/** Adds the seeded videos. Returns the ids of those a tier can see. */
export function addVideos(
  ctx: Context,
): { id: string; slug: string; title: string; tierAccess: TierSlug[]; isPublished: boolean }[] {
  const at = ctx.now().toISOString()
  return videoSeeds.map(({ tierAccess, ...seed }) => {
    const id = ctx.newId()
    insertRow(ctx, memberVideos, { ...seed, id, createdAt: at, updatedAt: at })
    setVideoTiers(ctx, id, tierAccess)
    insertRow(ctx, videoTexts, { videoId: id, ...videoText(seed), updatedAt: at })
    return { id, slug: seed.slug, title: seed.title, tierAccess, isPublished: seed.isPublished }
  })
}

export function addPhoto(ctx: Context, { id: userId }: Pick<TestPerson, 'id'>): string {
  const id = ctx.newId()
  insertRow(ctx, memberPhotos, { id, userId, content: 'UklGRg==', createdAt: ctx.now().toISOString() })
  const profileImageUrl = photoPath(id)
  ctx.db.update(users).set({ profileImageUrl }).where(eq(users.id, userId)).run()
  return profileImageUrl
}
