import { and, eq, notInArray } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { preparedQuery } from '#api/db/query.ts'
import { blogPosts } from '#api/db/schema/blog.ts'
import { videoFiles, videoHandouts } from '#api/db/schema/media.ts'
import { videoVersions } from '#api/db/schema/shelf.ts'
import { memberVideos, videoTexts, videoTiers } from '#api/db/schema/videos.ts'
import { AppError } from '#api/errors.ts'
import { findUserByEmail } from '#api/features/subscriptions/obstacle-queries.ts'
import type { ExportedTable } from './exported-rules.ts'

export type Row = Record<string, unknown>

/**
 * `ids` are others here: of a person, file, video or post that was here before. `videos` are the titles in the ZIP by id, and
 * `matched` the videos here that one of them is.
 */
export type Known = {
  ids: Map<string, string>
  videos: Map<string, string>
  matched: Set<string>
  /** Whether a video takes the ZIP's tiers: it had none here. */
  untiered: Map<string, boolean>
}

const Person = v.object({ id: v.string(), email: v.pipe(v.string(), v.email()) })

export function isPersonHere(ctx: Context, row: Row, ids: Map<string, string>): boolean {
  const read = v.safeParse(Person, row)
  if (!read.success) throw new AppError('invalid', 'A person has no email address.')
  const known = findUserByEmail(ctx, read.output.email)
  if (known === undefined) return false
  if (known.id !== read.output.id) ids.set(read.output.id, known.id)
  return true
}

const Video = v.object({ id: v.string(), slug: v.string(), title: v.string(), category: v.string() })

/** By its id, else by its address, else by title and category. Each video here is only one of the ZIP's. */
export function isVideoHere({ db }: Context, { ids, videos, matched }: Known, row: Row): boolean {
  const read = v.safeParse(Video, row)
  if (!read.success) throw new AppError('invalid', 'A video has no title or category.')
  const { id, slug, title, category } = read.output
  videos.set(id, title)
  const here = (where: ReturnType<typeof and>) =>
    db.select({ id: memberVideos.id }).from(memberVideos).where(where).get()?.id
  const isTitled = and(eq(memberVideos.title, title), eq(memberVideos.category, category))
  const known =
    here(eq(memberVideos.id, id)) ??
    here(eq(memberVideos.slug, slug)) ??
    here(and(isTitled, notInArray(memberVideos.id, [...matched])))
  matched.add(known ?? id)
  if (known !== undefined && known !== id) ids.set(id, known)
  return known !== undefined
}

const Post = v.object({ id: v.string(), slug: v.string() })

export function isPostHere({ db }: Context, row: Row, ids: Map<string, string>): boolean {
  const read = v.safeParse(Post, row)
  if (!read.success) throw new AppError('invalid', 'A post has no address.')
  const { id, slug } = read.output
  const here = (where: ReturnType<typeof eq>) => db.select({ id: blogPosts.id }).from(blogPosts).where(where).get()?.id
  const known = here(eq(blogPosts.id, id)) ?? here(eq(blogPosts.slug, slug))
  if (known !== undefined && known !== id) ids.set(id, known)
  return known !== undefined
}

const partsOfVideos: readonly SQLiteTable[] = [videoTiers, videoTexts, videoFiles, videoHandouts, videoVersions]

/** Texts and files of a video that's another row here. It stays as it is. */
export const isPartOfOther = ({ one, ids }: Known & { one: ExportedTable }, { videoId }: Row): boolean =>
  partsOfVideos.includes(one.table) && typeof videoId === 'string' && ids.has(videoId)

/** Who sees a video that was here stays as it is. */
export function hasTiersHere(
  { db }: Context,
  { one, untiered }: Known & { one: ExportedTable },
  { videoId }: Row,
): boolean {
  if (one.table !== videoTiers || typeof videoId !== 'string') return false
  const known = untiered.get(videoId)
  if (known !== undefined) return !known
  const isFree = db.select().from(videoTiers).where(eq(videoTiers.videoId, videoId)).get() === undefined
  untiered.set(videoId, isFree)
  return !isFree
}

// Compiled once: there may be 200,000 ticks.
const videoById = preparedQuery<{ id: string }>()((db, { id }) =>
  db.select({ id: memberVideos.id }).from(memberVideos).where(eq(memberVideos.id, id)),
)

/** What refers to a video that isn't here says which. */
export function assertVideo(ctx: Context, { one, videos }: Known & { one: ExportedTable }, { videoId }: Row): void {
  if (typeof videoId !== 'string' || one.table === memberVideos) return
  if (videoById.get(ctx, { id: videoId }) !== undefined) return
  throw new AppError('invalid', `The video “${videos.get(videoId) ?? videoId}” isn’t here.`)
}
