import { asc, eq } from 'drizzle-orm'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { memberVideos } from '#api/db/schema/content.ts'
import type { Person } from '#api/http/session.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { type MemberVideo, MemberVideoList } from '#shared/contract/video.ts'
import { isInTier } from '#shared/rules/video.ts'

/** What a list of videos is made for: a tier, or an owner, who sees all that is published. */
export type Audience = TierSlug | 'owner'

export function audienceOf(person: Person): Audience {
  return person.isAdmin ? 'owner' : (person.access.tier ?? 'lite')
}

export function listVideos(ctx: Context, audience: Audience): MemberVideo[] {
  const published = ctx.db
    .select()
    .from(memberVideos)
    .where(eq(memberVideos.isPublished, true))
    .orderBy(asc(memberVideos.category), asc(memberVideos.orderIndex))
    .all()
  return v.parse(
    MemberVideoList,
    published.filter((video) => audience === 'owner' || isInTier(video, audience)),
  )
}
