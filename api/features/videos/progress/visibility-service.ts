import type { Context } from '#api/context.ts'
import type { Person } from '#api/identity/person.ts'
import { londonDay } from '#shared/rules/london.ts'
import { type VideoVisibility, videoVisibilities } from './queries.ts'

export type Ticker = Pick<Person, 'id' | 'isAdmin' | 'access'> & Partial<Pick<Person, 'impersonator'>>

export function visibleVideos(ctx: Context, member: Ticker, videoIds: readonly string[]): Set<string> {
  if (videoIds.length === 0) return new Set()
  const videos = videoVisibilities.all(ctx, { videoIds: JSON.stringify(videoIds) })
  return new Set(videos.filter((video) => maySee(ctx, member, video)).map(({ id }) => id))
}

/** Published, already available and in the member's tier. An owner sees all that members see. */
export function maySee(ctx: Context, { isAdmin, access }: Ticker, video: VideoVisibility | undefined): boolean {
  if (!video?.isPublished || (video.availableFrom !== null && video.availableFrom > londonDay(ctx.now()))) return false
  return isAdmin || (access.tier !== null && video.tierAccess.includes(JSON.stringify(access.tier)))
}
