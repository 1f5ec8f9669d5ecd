import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import type { Person } from '#api/http/session.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { type MemberVideo, MemberVideoList } from '#shared/contract/video.ts'
import { isInTier } from '#shared/rules/video.ts'
import { publishedVideos, type VideoRow } from './queries.ts'

/** What a list of videos is made for: a tier, or an owner, who sees all that is published. */
export type Audience = TierSlug | 'owner'

export function audienceOf(person: Person): Audience {
  return person.isAdmin ? 'owner' : (person.access.tier ?? 'lite')
}

export function listVideos(ctx: Context, audience: Audience): MemberVideo[] {
  const videos = v.parse(MemberVideoList, publishedVideos(ctx).map(toVideo))
  return audience === 'owner' ? videos : videos.filter((video) => isInTier(video, audience))
}

const toVideo = (row: VideoRow) => ({
  ...row,
  isPublished: row.isPublished === 1,
  tierAccess: JSON.parse(row.tierAccess),
})
