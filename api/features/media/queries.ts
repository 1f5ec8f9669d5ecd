import { and, count, desc, eq, sql } from 'drizzle-orm'
import { preparedQuery } from '#api/db/query.ts'
import { invoices } from '#api/db/schema/invoices.ts'
import { media, videoFiles } from '#api/db/schema/media.ts'
import { memberVideos } from '#api/db/schema/videos.ts'

export const mediaById = preparedQuery<{ id: string }>()((db, { id }) =>
  db.select().from(media).where(eq(media.id, id)),
)

export type MediaRow = NonNullable<ReturnType<typeof mediaById.get>>

/** The row of these bytes that is public, or the one that is not. */
export const mediaByContent = preparedQuery<{ sha256: string; isPublic: number }>()((db, { sha256, isPublic }) =>
  db
    .select()
    .from(media)
    .where(and(eq(media.sha256, sha256), sql`${media.isPublic} = ${isPublic}`)),
)

export const rowsOfContent = preparedQuery<{ sha256: string }>()((db, { sha256 }) =>
  db.select({ id: media.id }).from(media).where(eq(media.sha256, sha256)),
)

/** Who may see the published videos that play a file. */
export const tiersOfMedia = preparedQuery<{ id: string }>()((db, { id }) =>
  db
    .select({ tierAccess: memberVideos.tierAccess })
    .from(videoFiles)
    .innerJoin(memberVideos, eq(memberVideos.id, videoFiles.videoId))
    .where(and(eq(videoFiles.mediaId, id), eq(memberVideos.isPublished, true))),
)

/** Every file, the newest first, with the number of videos that play it. */
export const allMedia = preparedQuery()((db) =>
  db
    .select({
      ...{ id: media.id, name: media.name, format: media.format, bytes: media.bytes, isPublic: media.isPublic },
      ...{ createdAt: media.createdAt, videos: count(videoFiles.videoId) },
    })
    .from(media)
    .leftJoin(videoFiles, eq(videoFiles.mediaId, media.id))
    .groupBy(media.id)
    .orderBy(desc(media.id)),
)

export const usesOfMedia = preparedQuery<{ id: string }>()((db, { id }) =>
  db.select({ videoId: videoFiles.videoId }).from(videoFiles).where(eq(videoFiles.mediaId, id)),
)

/** An invoice whose logo is at an address that begins so. Its look never changes, so the picture has to stay. */
export const documentsWithLogo = preparedQuery<{ start: string }>()((db, { start }) =>
  db
    .select({ id: invoices.id })
    .from(invoices)
    .where(sql`instr(json_extract(${invoices.seller}, '$.logo'), ${start}) = 1`)
    .limit(1),
)
