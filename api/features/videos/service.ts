import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { notFound } from '#api/errors.ts'
import { invalidateResponsesAt } from '#api/http/response-cache.ts'
import type { Person } from '#api/http/session.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { type LessonText, MemberVideo } from '#shared/contract/video.ts'
import { londonDay, londonInstant } from '#shared/rules/london.ts'
import { inCategoryOrder, isInTier } from '#shared/rules/video.ts'
import { categoryOrder } from './categories-service.ts'
import { nextShownDay, playedFiles, publishedCaptions, publishedTexts, publishedVideos, rowOfCells } from './queries.ts'

/** What a list of videos is made for: a tier, or an owner, who sees all that is published. */
export type Audience = TierSlug | 'owner'

export function audienceOf(person: Person): Audience {
  return person.isAdmin ? 'owner' : (person.access.tier ?? 'lite')
}

export function listVideos(ctx: Context, audience: Audience): MemberVideo[] {
  const videos = checkedVideos(ctx)
  return audience === 'owner' ? videos : videos.filter((video) => isInTier(video, audience))
}

/**
 * The day by which it is told what members see already. What is cached of that reading expires when the next day comes on which
 * a video begins to be seen.
 */
function shownDay(ctx: Context): string {
  const today = londonDay(ctx.now())
  const next = nextShownDay.get(ctx, { today })?.day ?? null
  if (next !== null) invalidateResponsesAt(ctx, londonInstant(next, '00:00'))
  return today
}

/** What there is to read beside the videos that this audience sees. */
export const listTexts = (ctx: Context, audience: Audience): LessonText[] =>
  publishedTexts
    .all(ctx, { today: shownDay(ctx) })
    .filter((text) => audience === 'owner' || isInTier(text, audience))
    .map(({ tierAccess: _, handouts, ...text }) => ({ ...text, ...(handouts.length === 0 ? {} : { handouts }) }))

/** The captions of a film, as WebVTT. */
export function readCaptions(ctx: Context, audience: Audience, videoId: string): string {
  const row = publishedCaptions.get(ctx, { videoId, today: londonDay(ctx.now()) })
  const isOpen = row !== undefined && (audience === 'owner' || isInTier(row, audience))
  if (!isOpen || row.captions === null) throw notFound('These captions')
  return row.captions
}

/** `cells` and `files` are the texts that the video was read from. */
type CheckedVideo = { cells: string; files: string | undefined; video: MemberVideo }
const lastChecked = new WeakMap<Context, ReadonlyMap<string, CheckedVideo>>()

/** A change touches few rows: a video whose row is the same stays the same object, which need not be written as JSON again. */
function checkedVideos(ctx: Context): MemberVideo[] {
  const before = lastChecked.get(ctx)
  const now = new Map<string, CheckedVideo>()
  const filesOf = playedFiles(ctx)
  for (const { id, cells } of publishedVideos.all(ctx, { today: shownDay(ctx) })) {
    const files = filesOf.get(id)
    const known = before?.get(id)
    const isSame = known?.cells === cells && known.files === files
    now.set(id, isSame ? known : { cells, files, video: v.parse(MemberVideo, rowOfCells(cells, files)) })
  }
  lastChecked.set(ctx, now)
  return inCategoryOrder(
    Array.from(now.values(), ({ video }) => video),
    categoryOrder(ctx),
  )
}
