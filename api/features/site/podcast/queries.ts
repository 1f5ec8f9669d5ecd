import { and, asc, desc, eq, gt, lte, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Context } from '#api/context.ts'
import { preparedQuery } from '#api/db/query.ts'
import { media } from '#api/db/schema/media.ts'
import { podcastEpisodes } from '#api/db/schema/podcast.ts'
import { invalidateResponsesAt } from '#api/serving/kept-answers.ts'

const picture = alias(media, 'picture')

const fields = {
  id: podcastEpisodes.id,
  title: podcastEpisodes.title,
  summary: podcastEpisodes.summary,
  notes: podcastEpisodes.notes,
  number: podcastEpisodes.number,
  mediaId: podcastEpisodes.mediaId,
  mediaName: media.name,
  mediaFormat: media.format,
  bytes: media.bytes,
  pictureId: podcastEpisodes.pictureId,
  pictureFormat: picture.format,
  seconds: podcastEpisodes.seconds,
  isExplicit: podcastEpisodes.isExplicit,
  isPublished: podcastEpisodes.isPublished,
  publishedAt: podcastEpisodes.publishedAt,
  version: podcastEpisodes.version,
  createdAt: podcastEpisodes.createdAt,
  updatedAt: podcastEpisodes.updatedAt,
}

const publishedAt = sql`coalesce(${podcastEpisodes.publishedAt}, ${podcastEpisodes.createdAt})`
const newestFirst = [desc(publishedAt), desc(podcastEpisodes.id)]

export const allEpisodes = preparedQuery()((db) =>
  db
    .select(fields)
    .from(podcastEpisodes)
    .innerJoin(media, eq(media.id, podcastEpisodes.mediaId))
    .leftJoin(picture, eq(picture.id, podcastEpisodes.pictureId))
    .orderBy(asc(podcastEpisodes.isPublished), ...newestFirst),
)

export const episodeById = preparedQuery<{ id: string }>()((db, { id }) =>
  db
    .select(fields)
    .from(podcastEpisodes)
    .innerJoin(media, eq(media.id, podcastEpisodes.mediaId))
    .leftJoin(picture, eq(picture.id, podcastEpisodes.pictureId))
    .where(eq(podcastEpisodes.id, id)),
)

export type EpisodeRow = NonNullable<ReturnType<typeof episodeById.get>>

const episodesByAge = preparedQuery<{ now: string }>()((db, { now }) =>
  db
    .select(fields)
    .from(podcastEpisodes)
    .innerJoin(media, eq(media.id, podcastEpisodes.mediaId))
    .leftJoin(picture, eq(picture.id, podcastEpisodes.pictureId))
    .where(and(eq(podcastEpisodes.isPublished, true), lte(publishedAt, now)))
    .orderBy(...newestFirst),
)

const nextEpisode = preparedQuery<{ now: string }>()((db, { now }) =>
  db
    .select({ at: sql`min(${publishedAt})`.mapWith(podcastEpisodes.publishedAt) })
    .from(podcastEpisodes)
    .where(and(eq(podcastEpisodes.isPublished, true), gt(publishedAt, now))),
)

/** Newest first. Cached reads expire when the next episode is due. */
export function publishedEpisodes(ctx: Context): EpisodeRow[] {
  const now = ctx.now().toISOString()
  const due = nextEpisode.get(ctx, { now })?.at ?? null
  if (due !== null) invalidateResponsesAt(ctx, new Date(due))
  return episodesByAge.all(ctx, { now })
}
