import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { filled, oneOfTexts } from '#api/db/expressions.ts'
import { type Listing, type ListPage, readPage } from '#api/db/listing.ts'
import { countWhere, preparedQuery } from '#api/db/query.ts'
import { blogPosts } from '#api/db/schema/blog.ts'
import { media, mediaUploads, videoFiles, videoHandouts } from '#api/db/schema/media.ts'
import { podcastEpisodes } from '#api/db/schema/podcast.ts'
import { videoVersions } from '#api/db/schema/shelf.ts'
import { memberVideos, videoTexts } from '#api/db/schema/videos.ts'
import { type AdminMediaQuery, MediaUse } from '#shared/contract/media.ts'
import { versionForms } from '#shared/contract/video-versions.ts'
import { kindOfMedia, mediaFormats } from '#shared/values/media.ts'
import type { MediaRow } from './queries.ts'

const videoUse = (what: MediaUse['what']) =>
  sql`${sql.raw(`'${what}'`)}`.mapWith(oneOfTexts(MediaUse.entries.what.options))

const videoUses = preparedQuery()((db) => {
  const named = { title: memberVideos.title, at: memberVideos.id }
  const played = db
    .select({ id: videoFiles.mediaId, what: videoUse('film'), ...named })
    .from(videoFiles)
    .innerJoin(memberVideos, eq(memberVideos.id, videoFiles.videoId))
  const versions = db
    .select({ id: videoVersions.mediaId, what: sql`${videoVersions.form}`.mapWith(oneOfTexts(versionForms)), ...named })
    .from(videoVersions)
    .innerJoin(memberVideos, eq(memberVideos.id, videoVersions.videoId))
  const handouts = db
    .select({ id: videoHandouts.mediaId, what: videoUse('handout'), ...named })
    .from(videoHandouts)
    .innerJoin(memberVideos, eq(memberVideos.id, videoHandouts.videoId))
  const captions = db
    .select({ id: filled(videoTexts.captionsFrom), what: videoUse('captions'), ...named })
    .from(videoTexts)
    .innerJoin(memberVideos, eq(memberVideos.id, videoTexts.videoId))
    .where(sql`${videoTexts.captionsFrom} is not null`)
  const episodes = db
    .select({
      id: podcastEpisodes.mediaId,
      what: videoUse('episode'),
      title: podcastEpisodes.title,
      at: podcastEpisodes.id,
    })
    .from(podcastEpisodes)
  const pictures = db
    .select({
      id: filled(podcastEpisodes.pictureId),
      what: videoUse('episode'),
      title: podcastEpisodes.title,
      at: podcastEpisodes.id,
    })
    .from(podcastEpisodes)
    .where(sql`${podcastEpisodes.pictureId} is not null`)
  return played.unionAll(versions).unionAll(handouts).unionAll(captions).unionAll(episodes).unionAll(pictures)
})

/** Posts that show stored media. Most don't, so they aren't read. */
const postsWithMedia = preparedQuery()((db) => {
  const text = sql`concat_ws(' ', ${blogPosts.featuredImage}, ${blogPosts.shareImage}, ${blogPosts.content})`
  return db
    .select({ id: blogPosts.id, title: blogPosts.title, text: text.mapWith(String) })
    .from(blogPosts)
    .where(sql`instr(${text}, '/media/') > 0 or instr(${text}, '/photographs/') > 0`)
})

type UseRow = MediaUse & { id: string }

export const usesInVideos = (ctx: Context): UseRow[] => videoUses.all(ctx)

export const postsThatShowMedia = (ctx: Context) => postsWithMedia.all(ctx)

const listing: Listing<'added' | 'name' | 'size'> = {
  id: media.id,
  // Ids sort by time, except those of the sample clips.
  sorts: { added: media.createdAt, name: sql`fold(${media.name})`, size: media.bytes },
  defaultSort: '-added',
  search: [media.name],
}

/** `usedIds`: the files in use. */
export function listMediaRows(
  ctx: Context,
  query: AdminMediaQuery & { limit: number },
  usedIds: readonly string[],
): ListPage<MediaRow> {
  const isMeant = and(...conditionsOf(query, usedIds))
  return readPage(listing, query, {
    rows: ({ where, orderBy, limit, position }) =>
      ctx.db
        .select({
          id: media.id,
          sha256: media.sha256,
          bytes: media.bytes,
          format: media.format,
          name: media.name,
          codec: media.codec,
          isPublic: media.isPublic,
          createdAt: media.createdAt,
          replacedAt: media.replacedAt,
          position,
        })
        .from(media)
        .where(and(isMeant, ...where))
        .orderBy(...orderBy)
        .limit(limit)
        .all(),
    total: (found) => countWhere(ctx, media, and(isMeant, ...found)),
  })
}

function conditionsOf({ kind, use, who }: AdminMediaQuery, usedIds: readonly string[]): SQL[] {
  const isUsed = sql`${media.id} in (select value from json_each(${JSON.stringify(usedIds)}))`
  return [
    ...(kind === undefined
      ? []
      : [
          inArray(
            media.format,
            mediaFormats.filter((format) => kindOfMedia(format) === kind),
          ),
        ]),
    ...(use === undefined ? [] : [use === 'used' ? isUsed : sql`not ${isUsed}`]),
    ...(who === undefined ? [] : [eq(media.isPublic, who === 'everybody')]),
  ]
}

/** Total bytes. Files shared by two rows are stored once, so they count once. */
export const storedBytes = preparedQuery()((db) => {
  const files = db.selectDistinct({ sha256: media.sha256, bytes: media.bytes }).from(media).as('files')
  return db.select({ bytes: sql`coalesce(sum(${files.bytes}), 0)`.mapWith(Number) }).from(files)
})

export const uploadById = preparedQuery<{ id: string }>()((db, { id }) =>
  db.select().from(mediaUploads).where(eq(mediaUploads.id, id)),
)

export type UploadRow = NonNullable<ReturnType<typeof uploadById.get>>

/** Unfinished ones, newest first. */
export const openUploads = preparedQuery()((db) =>
  db.select().from(mediaUploads).where(sql`${mediaUploads.mediaId} is null`).orderBy(sql`${mediaUploads.id} desc`),
)

/** Abandoned uploads, and finished ones whose response no one will ask for again. */
export const oldUploads = preparedQuery<{ before: string; doneBefore: string }>()((db, { before, doneBefore }) =>
  db
    .select({ id: mediaUploads.id })
    .from(mediaUploads)
    .where(sql`${mediaUploads.updatedAt} < iif(${mediaUploads.mediaId} is null, ${before}, ${doneBefore})`),
)

export const deletedUpload = preparedQuery<{ id: string }>()((db, { id }) =>
  db.delete(mediaUploads).where(eq(mediaUploads.id, id)),
)

export const touchedUpload = preparedQuery<{ id: string; updatedAt: string; mediaId: string | null }>()(
  (db, { id, updatedAt, mediaId }) =>
    db
      .update(mediaUploads)
      .set({ updatedAt: sql`${updatedAt}`, mediaId: sql`${mediaId}` })
      .where(eq(mediaUploads.id, id)),
)
