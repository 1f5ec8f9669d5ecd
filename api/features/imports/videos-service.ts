import { and, eq, exists, or, sql } from 'drizzle-orm'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { preparedQuery } from '#api/db/query.ts'
import { memberVideos, videoPositions, videoProgress } from '#api/db/schema/videos.ts'
import { addVideo, playerProblem, removeVideo } from '#api/features/videos/admin-service.ts'
import { type Owner, ownerOnceAsked } from '#api/identity/person.ts'
import { VideoRequest } from '#shared/contract/admin-video.ts'
import { openImportFile } from './files-service.ts'
import type { AppliedRow, ImportKind, ImportTask, PlannedRow } from './kind-rules.ts'
import { foundInstead } from './queries.ts'
import type { VideoRow } from './videos-rules.ts'

const videoNamed = preparedQuery<{ title: string; category: string }>()((db, { title, category }) =>
  db
    .select({ id: memberVideos.id })
    .from(memberVideos)
    .where(and(eq(memberVideos.title, title), eq(sql`lower(${memberVideos.category})`, sql`lower(${category})`))),
)

function planVideo(ctx: Context, row: VideoRow): PlannedRow {
  const key = JSON.stringify([row.category.toLowerCase(), row.title])
  const same = videoNamed.get(ctx, row)
  if (same !== undefined) return { outcome: 'existing', key, madeId: same.id }
  const read = v.safeParse(VideoRequest, row)
  if (!read.success)
    return { outcome: 'refused', reason: [...new Set(read.issues.map(({ message }) => message))].join(' ') }
  const forbidden = playerProblem(ctx, read.output)
  if (forbidden !== null) return { outcome: 'refused', reason: forbidden }
  return { outcome: 'new', key, facts: { drafts: Number(!row.isPublished) } }
}

const ownerOf = ({ actor }: ImportTask): Owner => ownerOnceAsked(actor)

/** After a crash it finds what it made before. */
async function applyVideo(ctx: Context, row: VideoRow, task: ImportTask): Promise<AppliedRow> {
  const same = videoNamed.get(ctx, row)
  if (same !== undefined) return foundInstead(ctx, same.id)
  const { id } = await addVideo(ctx, ownerOf(task), { request: v.parse(VideoRequest, row), key: undefined })
  return { madeId: id }
}

const useOfVideo = preparedQuery<{ id: string }>()((db, { id }) =>
  db
    .select({ version: memberVideos.version })
    .from(memberVideos)
    .where(
      and(
        eq(memberVideos.id, id),
        or(
          sql`${memberVideos.version} > 1`,
          exists(db.select({ id: videoProgress.id }).from(videoProgress).where(eq(videoProgress.videoId, id))),
          exists(db.select({ at: videoPositions.at }).from(videoPositions).where(eq(videoPositions.videoId, id))),
        ),
      ),
    ),
)

const videoById = preparedQuery<{ id: string }>()((db, { id }) =>
  db.select({ id: memberVideos.id }).from(memberVideos).where(eq(memberVideos.id, id)),
)

/** Until someone has watched, ticked or changed it. */
async function undoVideo(ctx: Context, id: string, task: ImportTask): Promise<'undone' | 'used'> {
  if (videoById.get(ctx, { id }) === undefined) return 'undone'
  if (useOfVideo.get(ctx, { id }) !== undefined) return 'used'
  removeVideo(ctx, ownerOf(task), { id })
  return 'undone'
}

export const videosKind: ImportKind<VideoRow> = {
  isQuick: false,
  open: (_ctx, { file }) => openImportFile(file, { as: 'lessons', what: 'line', options: {} }),
  plan: planVideo,
  apply: applyVideo,
  undo: undoVideo,
}
