import { rmSync } from 'node:fs'
import { eq, sql } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import type { ListPage } from '#api/db/listing.ts'
import { transact } from '#api/db/open.ts'
import { media, mediaChecks } from '#api/db/schema/media.ts'
import { videoTexts } from '#api/db/schema/videos.ts'
import { AppError } from '#api/errors.ts'
import { touchVideos } from '#api/features/media/shown-queries.ts'
import type { Owner } from '#api/identity/person.ts'
import { errorMessage } from '#api/log.ts'
import { invalidateResponses } from '#api/serving/kept-answers.ts'
import { contentOf } from '#api/site/content.ts'
import { listOverrides } from '#api/site/content-queries.ts'
import { wakeVersions } from '#api/video-files/wake-up.ts'
import type { AdminMediaQuery, MediaFile, MediaUse } from '#shared/contract/media.ts'
import { normaliseCaptions } from '#shared/values/captions.ts'
import { isPlayable, mediaAddress, mediaNamedIn, problemOfPodcastPicture } from '#shared/values/media.ts'
import { listMediaRows, postsThatShowMedia, usesInVideos } from './library-queries.ts'
import { deletedPieces, documentsWithLogo, type MediaRow, mediaByContent, mediaById, rowsOfContent } from './queries.ts'
import { removeFromStore } from './remote-service.ts'
import { type Incoming, keepPieces, mediaFile, placeFile, storedRow } from './store-service.ts'

type Uses = ReadonlyMap<string, readonly MediaUse[]>

export function usesOfAllMedia(ctx: Context): Uses {
  const uses = new Map<string, MediaUse[]>()
  const add = (id: string, use: MediaUse) => uses.set(id, [...(uses.get(id) ?? []), use])
  for (const { id, what, title, at } of usesInVideos(ctx)) add(id, { what, title, at })
  for (const [page, text] of pagesOf(ctx))
    for (const id of mediaNamedIn(text)) add(id, { what: 'page', title: page, at: page })
  for (const post of postsThatShowMedia(ctx))
    for (const id of mediaNamedIn(post.text)) add(id, { what: 'post', title: post.title, at: post.id })
  return uses
}

/** Every page's texts as shown, plus owners' texts that currently don't fit. */
function pagesOf(ctx: Context): Map<string, string> {
  const { site, pages } = contentOf(ctx).read()
  const texts = new Map(Object.entries({ site, ...pages }).map(([page, words]) => [page, JSON.stringify(words)]))
  for (const { page, value } of listOverrides(ctx)) texts.set(page, `${texts.get(page) ?? ''} ${JSON.stringify(value)}`)
  return texts
}

function toFile({ sha256: _, ...row }: MediaRow, uses: Uses): MediaFile {
  const usedIn = [...(uses.get(row.id) ?? [])]
  return { ...row, address: mediaAddress(row), videos: usedIn.filter(({ what }) => what === 'film').length, usedIn }
}

export const describeMedia = (ctx: Context, id: string): MediaFile => toFile(storedRow(ctx, id), usesOfAllMedia(ctx))

export function listLibrary(ctx: Context, query: AdminMediaQuery & { limit: number }): ListPage<MediaFile> {
  const uses = usesOfAllMedia(ctx)
  const { rows, ...page } = listMediaRows(ctx, query, [...uses.keys()])
  return { ...page, rows: rows.map((row) => toFile(row, uses)) }
}

export const listMedia = (ctx: Context): MediaFile[] => listLibrary(ctx, { limit: wholeLibrary }).rows

export const wholeLibrary = 100_000

const placeNames: Record<MediaUse['what'], (title: string) => string> = {
  film: (title) => `the video “${title}”`,
  light: (title) => `“${title}” (light video)`,
  sound: (title) => `“${title}” (audio)`,
  handout: (title) => `“${title}” (downloads)`,
  captions: (title) => `“${title}” (captions)`,
  page: (title) => (title === 'site' ? 'the whole site’s content' : `the page “${title}”`),
  post: (title) => `the post “${title}”`,
  episode: (title) => `the episode “${title}”`,
}

const listFormat = () => new Intl.ListFormat('en-GB', { type: 'conjunction' })

/** Removes an unused file. Its bytes go with the last row that refers to them. */
export function removeMedia(ctx: Context, owner: Owner, id: string): { success: true } {
  const removed = transact(ctx, () => {
    const row = storedRow(ctx, id)
    const usedIn = usesOfAllMedia(ctx).get(id) ?? []
    if (usedIn.length > 0) {
      const places = [...new Set(usedIn.map(({ what, title }) => placeNames[what](title)))]
      const more = places.length > 3 ? [`${places.length - 3} other places`] : []
      throw new AppError(
        'conflict',
        `This file is used in ${listFormat().format([...places.slice(0, 3), ...more])}. Remove it there first.`,
      )
    }
    assertOnNoInvoice(ctx, id)
    ctx.db.delete(media).where(eq(media.id, id)).run()
    audit(ctx, owner.actor, 'media.removed', { targetId: id, detail: { name: row.name } })
    return row
  })
  invalidateResponses(ctx)
  removeUnnamedBytes(ctx, removed)
  return { success: true }
}

/** Removes a file the site made itself, once nothing uses it. */
export function removeUnusedMedia(ctx: Context, id: string): void {
  const row = transact(ctx, () => {
    const row = mediaById.get(ctx, { id })
    if (row === undefined || usesOfAllMedia(ctx).has(id)) return null
    ctx.db.delete(media).where(eq(media.id, id)).run()
    return row
  })
  if (row !== null) removeUnnamedBytes(ctx, row)
}

function assertOnNoInvoice(ctx: Context, id: string): void {
  if (documentsWithLogo.get(ctx, { start: `/media/${id}.` }) === undefined) return
  throw new AppError('conflict', 'You’ve issued invoices with this logo, so we have to keep it.')
}

/**
 * Call it after the commit: if that fails, the row still needs its bytes. Runs in its own transaction, so that no one can store the
 * same bytes and find them gone.
 */
export function removeUnnamedBytes(ctx: Context, row: MediaRow): void {
  try {
    transact(ctx, () => {
      if (rowsOfContent.all(ctx, row).length > 0) return
      rmSync(mediaFile(ctx, row), { force: true })
      removeFromStore(ctx, row)
      deletedPieces.run(ctx, { file: row.sha256 })
      ctx.db.delete(mediaChecks).where(eq(mediaChecks.file, row.sha256)).run()
    })
  } catch (error) {
    ctx.log.warn('bytes of a file not removed', { sha256: row.sha256, reason: errorMessage(error) })
  }
}

/** What may be replaced: only by the same kind of file, so that its URL stays right, and nothing that has to stay as it is. */
export function assertReplaceable(ctx: Context, id: string): MediaRow {
  const row = storedRow(ctx, id)
  assertOnNoInvoice(ctx, id)
  if (contentOf(ctx).read().site.brand.logo === mediaAddress(row))
    throw new AppError(
      'conflict',
      'This picture is the logo in icons, emails and invoices. Upload the new one as well, then choose it as the logo.',
    )
  return row
}

export type PictureSize = { width: number; height: number }

/** Podcast directories would drop the picture. Elsewhere any shape gets cropped. */
function assertFitsUses(ctx: Context, id: string, size: PictureSize): void {
  const episode = usesInVideos(ctx).find((use) => use.id === id && use.what === 'episode')
  const problem = episode === undefined ? null : problemOfPodcastPicture(size)
  if (episode === undefined || problem === null) return
  throw new AppError('invalid', `This picture belongs to ${placeNames.episode(episode.title)}. ${problem}`)
}

/** `captions` and `size` are the new file's, if it's captions or a picture. */
type Replacement = { id: string; name: string; incoming: Incoming; captions: string | null; size: PictureSize | null }

/** Replaces the content at a file's URL. Call it inside a transaction. The caller then removes the returned row's bytes. */
export function replaceMedia(ctx: Context, owner: Owner, replacement: Replacement): MediaRow {
  const { id, name, incoming, captions, size } = replacement
  const row = assertReplaceable(ctx, id)
  if (size !== null) assertFitsUses(ctx, id, size)
  const { path, pieces, ...found } = incoming
  if (found.format !== row.format)
    throw new AppError(
      'invalid',
      `This file is a .${row.format} and the new one is a .${found.format}. Save it as .${row.format}, or upload it as a new file.`,
    )
  const known = mediaByContent.get(ctx, { sha256: found.sha256, isPublic: Number(row.isPublic) })
  if (known !== undefined && known.id !== id)
    throw new AppError('conflict', `You already have this file, as “${known.name}”.`)
  placeFile(ctx, { path, ...found })
  if (isPlayable(found.format)) keepPieces(ctx, { sha256: found.sha256, pieces })
  const replacedAt = ctx.now().toISOString()
  ctx.db
    .update(media)
    .set({ ...found, name, replacedAt })
    .where(eq(media.id, id))
    .run()
  if (captions !== null) renewCaptions(ctx, id, captions)
  audit(ctx, owner.actor, 'media.replaced', { targetId: id, detail: { name, before: row.name } })
  invalidateResponses(ctx)
  wakeVersions(ctx)
  return row
}

function renewCaptions(ctx: Context, id: string, captions: string): void {
  const updatedAt = ctx.now().toISOString()
  const follows = eq(videoTexts.captionsFrom, id)
  const videos = ctx.db.select({ id: videoTexts.videoId }).from(videoTexts).where(follows).all()
  ctx.db
    .update(videoTexts)
    .set({ captions: normaliseCaptions(captions), version: sql`${videoTexts.version} + 1`, updatedAt })
    .where(follows)
    .run()
  touchVideos.run(ctx, { videoIds: JSON.stringify(videos.map((video) => video.id)), updatedAt })
}
