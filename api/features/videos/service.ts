import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { notFound } from '#api/errors.ts'
import { nextShownDay } from '#api/features/media/shown-queries.ts'
import type { Audience } from '#api/identity/audience.ts'
import { invalidateResponsesAt } from '#api/serving/kept-answers.ts'
import { MemberVideo, type VideoText } from '#shared/contract/video.ts'
import { londonDay, londonInstant } from '#shared/rules/london.ts'
import { inCategoryOrder, isInTier } from '#shared/rules/video.ts'
import { marksOf, readCaptions, transcriptOf } from '#shared/values/captions.ts'
import { categoryOrder } from './categories-service.ts'
import { playedFiles, publishedCaptions, publishedRevisions, publishedTexts, videosByIds } from './queries.ts'

export function listVideos(ctx: Context, audience: Audience): MemberVideo[] {
  const videos = checkedVideos(ctx)
  return audience === 'owner' ? videos : videos.filter((video) => isInTier(video, audience))
}

/** The day that decides what members already see. Cached lists expire on the next day a video appears. */
function shownDay(ctx: Context): string {
  const today = londonDay(ctx.now())
  const next = nextShownDay.get(ctx, { today })?.day ?? null
  if (next !== null) invalidateResponsesAt(ctx, londonInstant(next, '00:00'))
  return today
}

export const listTexts = (ctx: Context, audience: Audience): VideoText[] =>
  publishedTexts
    .all(ctx, { today: shownDay(ctx) })
    .filter((text) => audience === 'owner' || isInTier(text, audience))
    .map(({ tierAccess: _, handouts, captions, transcript, ...text }) => ({
      ...text,
      hasCaptions: captions !== null,
      ...spokenWords(transcript, captions),
      ...(handouts.length === 0 ? {} : { handouts }),
    }))

/** Captions are read as a transcript where there's no other. Each line of it then leads to its second of the video. */
function spokenWords(transcript: string | null, captions: string | null): Pick<VideoText, 'transcript' | 'marks'> {
  const read = captions === null ? null : readCaptions(captions)
  if (read === null || 'problem' in read) return { transcript }
  const words = transcript ?? transcriptOf(read.cues)
  const marks = marksOf(read.cues, words)
  return { transcript: words, ...(marks.length === 0 ? {} : { marks }) }
}

export function captionsOf(ctx: Context, audience: Audience, videoId: string): string {
  const row = publishedCaptions.get(ctx, { videoId, today: londonDay(ctx.now()) })
  const isOpen = row !== undefined && (audience === 'owner' || isInTier(row, audience))
  if (!isOpen || row.captions === null) throw notFound('These captions')
  return row.captions
}

/** The last read: `text` from `publishedRevisions`, and each video with its revision and files. */
type Checked = {
  text: string
  filesOf: ReadonlyMap<string, string[]>
  known: ReadonlyMap<string, { revision: string; video: MemberVideo }>
}
const lastChecked = new WeakMap<Context, Checked>()

function checkedVideos(ctx: Context): MemberVideo[] {
  const text = publishedRevisions.get(ctx, { today: shownDay(ctx) })?.text ?? ''
  const filesOf = playedFiles(ctx)
  const last = lastChecked.get(ctx)
  const { known } = last?.text === text && last.filesOf === filesOf ? last : readChanged(ctx, { text, filesOf }, last)
  return inCategoryOrder(
    Array.from(known.values(), ({ video }) => video),
    categoryOrder(ctx),
  )
}

/** A change touches few rows. A video with the same revision stays the same object, so it needn't be serialised again. */
function readChanged(ctx: Context, { text, filesOf }: Pick<Checked, 'text' | 'filesOf'>, last?: Checked): Checked {
  const isSame = (id: string, revision: string) =>
    last?.known.get(id)?.revision === revision && String(last.filesOf.get(id)) === String(filesOf.get(id))
  const revisions = text.split(',').flatMap((pair) => {
    const [id, revision] = pair.split(' ')
    return id && revision ? [{ id, revision, before: isSame(id, revision) ? last?.known.get(id) : undefined }] : []
  })
  const ids = JSON.stringify(revisions.flatMap(({ id, before }) => (before ? [] : [id])))
  const rows = new Map(videosByIds.all(ctx, { ids }).map((row) => [row.id, row]))
  const read = (id: string) => v.parse(MemberVideo, { ...rows.get(id), files: filesOf.get(id) })
  const known = new Map(
    revisions.map(({ id, revision, before }) => [id, before ?? { revision, video: read(id) }] as const),
  )
  const checked = { text, filesOf, known }
  lastChecked.set(ctx, checked)
  return checked
}
