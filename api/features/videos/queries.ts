import type { Statement } from 'better-sqlite3'
import type { Context } from '#api/context.ts'
import type { MemberVideo } from '#shared/contract/video.ts'

/** A published video as SQLite has it: `tierAccess` is JSON. */
export type VideoRow = Omit<MemberVideo, 'isPublished' | 'tierAccess'> & { isPublished: 1; tierAccess: string }

export const videoColumns = [
  ...(['id', 'title', 'description', 'videoType', 'videoId', 'embedUrl', 'category', 'orderIndex'] as const),
  ...(['isPublished', 'tierAccess', 'duration', 'createdAt', 'updatedAt'] as const),
] satisfies (keyof VideoRow)[]

const kept = new WeakMap<Context, Statement<[], VideoRow>>()

/** Everything that is published, in the order of the list; prepared once. */
export function publishedVideos(ctx: Context): VideoRow[] {
  const statement = kept.get(ctx) ?? prepare(ctx)
  kept.set(ctx, statement)
  return statement.all()
}

const prepare = ({ sqlite }: Context) =>
  sqlite.prepare<[], VideoRow>(
    `select ${videoColumns.join(', ')} from member_videos where isPublished = 1 order by category, orderIndex`,
  )
