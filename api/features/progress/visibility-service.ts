import type { Context } from '#api/context.ts'
import type { Person } from '#api/http/session.ts'
import { type VideoVisibility, videoVisibilities } from './queries.ts'

/** What the guard knows of the member whose ticks these are. */
export type Ticker = Pick<Person, 'id' | 'isAdmin' | 'access'> & Partial<Pick<Person, 'impersonator'>>

/** Those of the videos that the member may see. */
export function visibleVideos(ctx: Context, member: Ticker, videoIds: readonly string[]): Set<string> {
  if (videoIds.length === 0) return new Set()
  const videos = videoVisibilities.all(ctx, { videoIds: JSON.stringify(videoIds) })
  return new Set(videos.filter((video) => maySee(member, video)).map(({ id }) => id))
}

/** Published, and of the member's tier; an owner sees all that is published. */
export function maySee({ isAdmin, access }: Ticker, video: VideoVisibility | undefined): boolean {
  if (!video?.isPublished) return false
  return isAdmin || (access.tier !== null && video.tierAccess.includes(JSON.stringify(access.tier)))
}
