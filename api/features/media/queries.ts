import { and, eq, inArray, or, sql } from 'drizzle-orm'
import { preparedQuery } from '#api/db/query.ts'
import { invoices } from '#api/db/schema/invoices.ts'
import { media, videoFiles, videoHandouts } from '#api/db/schema/media.ts'
import { memberVideos } from '#api/db/schema/videos.ts'
import { isShownOn } from '#api/features/videos/shown-queries.ts'

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

/** Who may see the videos that have this file, as their video or a download. */
export const tiersOfMedia = preparedQuery<{ id: string; today: string }>()((db, { id, today }) =>
  db
    .select({ tierAccess: memberVideos.tierAccess })
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
