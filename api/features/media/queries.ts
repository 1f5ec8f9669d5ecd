import { and, eq, inArray, lt, or, sql } from 'drizzle-orm'
import { preparedQuery } from '#api/db/query.ts'
import { invoices } from '#api/db/schema/invoices.ts'
import { media, mediaPieces, videoFiles, videoHandouts } from '#api/db/schema/media.ts'
import { videoVersions } from '#api/db/schema/shelf.ts'
import { memberVideos } from '#api/db/schema/videos.ts'
import { tiersOfVideo } from '#api/db/video-tiers.ts'
import { isPlayable, mediaFormats } from '#shared/values/media.ts'
import { isShownOn } from './shown-queries.ts'

export const mediaById = preparedQuery<{ id: string }>()((db, { id }) =>
  db.select().from(media).where(eq(media.id, id)),
)

export type MediaRow = NonNullable<ReturnType<typeof mediaById.get>>

export const mediaByContent = preparedQuery<{ sha256: string; isPublic: number }>()((db, { sha256, isPublic }) =>
  db
    .select()
    .from(media)
    .where(and(eq(media.sha256, sha256), sql`${media.isPublic} = ${isPublic}`)),
)

export const rowsOfContent = preparedQuery<{ sha256: string }>()((db, { sha256 }) =>
  db.select({ id: media.id }).from(media).where(eq(media.sha256, sha256)),
)

export const piecesOfFile = preparedQuery<{ file: string }>()((db, { file }) =>
  db
    .select({ sha256: mediaPieces.sha256 })
    .from(mediaPieces)
    .where(eq(mediaPieces.file, file))
    .orderBy(mediaPieces.index),
)

export const deletedPieces = preparedQuery<{ file: string }>()((db, { file }) =>
  db.delete(mediaPieces).where(eq(mediaPieces.file, file)),
)

/** Videos and sounds of which some pieces aren't known yet. */
export const unreadMedia = preparedQuery<{ pieceBytes: number }>()((db, { pieceBytes }) =>
  db
    .selectDistinct({ sha256: media.sha256, bytes: media.bytes })
    .from(media)
    .where(
      and(
        inArray(media.format, mediaFormats.filter(isPlayable)),
        lt(sql`${db.$count(mediaPieces, eq(mediaPieces.file, media.sha256))} * ${pieceBytes}`, media.bytes),
      ),
    ),
)

/** Who may see the videos that have this file, as their video, a version of it or a download. */
export const tiersOfMedia = preparedQuery<{ id: string; today: string }>()((db, { id, today }) =>
  db
    .select({ tierAccess: tiersOfVideo })
    .from(memberVideos)
    .where(
      and(
        isShownOn(today),
        or(
          inArray(
            memberVideos.id,
            db.select({ id: videoFiles.videoId }).from(videoFiles).where(eq(videoFiles.mediaId, id)),
          ),
          inArray(
            memberVideos.id,
            db.select({ id: videoVersions.videoId }).from(videoVersions).where(eq(videoVersions.mediaId, id)),
          ),
          inArray(
            memberVideos.id,
            db.select({ id: videoHandouts.videoId }).from(videoHandouts).where(eq(videoHandouts.mediaId, id)),
          ),
        ),
      ),
    ),
)

/** An invoice whose logo's URL has this prefix. Invoices never change, so the picture must stay. */
export const documentsWithLogo = preparedQuery<{ start: string }>()((db, { start }) =>
  db
    .select({ id: invoices.id })
    .from(invoices)
    .where(sql`instr(json_extract(${invoices.seller}, '$.logo'), ${start}) = 1`)
    .limit(1),
)
