import type { Context } from '#api/context.ts'
import { cachedRead } from '#api/db/cached-read.ts'
import type { Person } from '#api/identity/person.ts'
import { londonDay } from '#shared/rules/london.ts'
import { type VideoVisibility, videoVisibility } from './queries.ts'

export type Ticker = Pick<Person, 'id' | 'isAdmin' | 'access'> & Partial<Pick<Person, 'impersonator'>>

/** Of a video, for all members. Ticks don’t change it. Null if there’s no such video. */
const visibilityOf = cachedRead((ctx, videoId) => videoVisibility.get(ctx, { videoId }) ?? null)

/** Before a transaction it’s hardly ever read: within one nothing is cached. */
export const visibleVideos = (ctx: Context, member: Ticker, videoIds: readonly string[]): Set<string> =>
  new Set(videoIds.filter((videoId) => maySee(ctx, member, visibilityOf(ctx, videoId))))

/** Published, already available and in the member's tier. An owner sees all that members see. */
export function maySee(ctx: Context, { isAdmin, access }: Ticker, video: VideoVisibility | null | undefined): boolean {
  if (!video?.isPublished || (video.availableFrom !== null && video.availableFrom > londonDay(ctx.now()))) return false
  return isAdmin || (access.tier !== null && video.tierAccess.includes(JSON.stringify(access.tier)))
}
