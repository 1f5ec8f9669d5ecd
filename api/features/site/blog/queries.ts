import { and, asc, desc, eq, getTableColumns, gt, lte, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { cachedRead } from '#api/db/cached-read.ts'
import { displayName } from '#api/db/customers.ts'
import { jsonFieldOf, nullable } from '#api/db/expressions.ts'
import { type Listing, type ListPage, readPage } from '#api/db/listing.ts'
import { countWhere, preparedQuery } from '#api/db/query.ts'
import { blogPosts, blogRedirects, blogVersions, oldAddresses } from '#api/db/schema/blog.ts'
import { users } from '#api/db/schema/people.ts'
import { invalidateResponsesAt } from '#api/serving/kept-answers.ts'
import type { AdminPostQuery, AdminPostSummary, PostVersion } from '#shared/contract/admin-post.ts'
import { leadsToOwnPage } from './old-address-rules.ts'

/** A post without a publication date uses its creation date. */
const publishedAt = sql`coalesce(${blogPosts.publishedAt}, ${blogPosts.createdAt})`.mapWith(blogPosts.createdAt)

const summaryFields = {
  id: blogPosts.id,
  title: blogPosts.title,
  slug: blogPosts.slug,
  excerpt: blogPosts.excerpt,
  author: blogPosts.author,
  featuredImage: blogPosts.featuredImage,
  featuredImageAlt: blogPosts.featuredImageAlt,
  shareImage: blogPosts.shareImage,
  publishedAt,
  createdAt: blogPosts.createdAt,
  updatedAt: blogPosts.updatedAt,
  /** SQLite knows it without reading the content, which takes longer than all the rest. */
  contentBytes: sql`octet_length(${blogPosts.content})`.mapWith(Number),
}
const fields = { ...summaryFields, content: blogPosts.content }

const newestFirst = [desc(publishedAt), desc(blogPosts.id)]

const postsByAge = preparedQuery<{ now: string }>()((db, { now }) =>
  db
    .select(summaryFields)
    .from(blogPosts)
    .where(and(eq(blogPosts.isPublished, true), lte(publishedAt, now)))
    .orderBy(...newestFirst),
)

/** What visitors can read of posts, those to come included. */
export const publishedTexts = preparedQuery()((db) =>
  db
    .select({ id: blogPosts.id, title: blogPosts.title, content: blogPosts.content })
    .from(blogPosts)
    .where(eq(blogPosts.isPublished, true))
    .orderBy(...newestFirst),
)

const idsByAge = preparedQuery<{ now: string }>()((db, { now }) =>
  db
    .select({ id: blogPosts.id })
    .from(blogPosts)
    .where(and(eq(blogPosts.isPublished, true), lte(publishedAt, now)))
    .orderBy(...newestFirst),
)

const postsOfIds = preparedQuery<{ ids: string }>()((db, { ids }) =>
  db
    .select(summaryFields)
    .from(blogPosts)
    .where(sql`${blogPosts.id} in (select value from json_each(${ids}))`)
    .orderBy(...newestFirst),
)

const postsAfter = preparedQuery<{ now: string; cursor: string | null; limit: number }>()(
  (db, { now, cursor, limit }) => {
    const cursorPost = sql`(select ${publishedAt}, ${blogPosts.id} from ${blogPosts} where ${blogPosts.id} = ${cursor})`
    const isAfterCursor = sql`(${cursor} is null or (${publishedAt}, ${blogPosts.id}) < ${cursorPost})`
    return db
      .select(summaryFields)
      .from(blogPosts)
      .where(and(eq(blogPosts.isPublished, true), lte(publishedAt, now), isAfterCursor))
      .orderBy(...newestFirst)
      .limit(limit)
  },
)

const postBySlug = preparedQuery<{ now: string; slug: string }>()((db, { now, slug }) =>
  db
    .select(fields)
    .from(blogPosts)
    .where(and(eq(blogPosts.isPublished, true), lte(publishedAt, now), eq(blogPosts.slug, slug))),
)

type Cursor = { now: string; publishedAt: string; id: string }
const neighbour = { slug: blogPosts.slug, title: blogPosts.title }

const olderThan = preparedQuery<Cursor>()((db, at) =>
  db
    .select(neighbour)
    .from(blogPosts)
    .where(
      and(
        eq(blogPosts.isPublished, true),
        lte(publishedAt, at.now),
        sql`(${publishedAt}, ${blogPosts.id}) < (${at.publishedAt}, ${at.id})`,
      ),
    )
    .orderBy(...newestFirst)
    .limit(1),
)

const newerThan = preparedQuery<Cursor>()((db, at) =>
  db
    .select(neighbour)
    .from(blogPosts)
    .where(
      and(
        eq(blogPosts.isPublished, true),
        lte(publishedAt, at.now),
        sql`(${publishedAt}, ${blogPosts.id}) > (${at.publishedAt}, ${at.id})`,
      ),
    )
    .orderBy(asc(publishedAt), asc(blogPosts.id))
    .limit(1),
)

const nextPublication = preparedQuery<{ now: string }>()((db, { now }) =>
  db
    .select({ at: sql`min(${publishedAt})`.mapWith(blogPosts.publishedAt) })
    .from(blogPosts)
    .where(and(eq(blogPosts.isPublished, true), gt(publishedAt, now))),
)

export type PostRow = NonNullable<ReturnType<typeof postBySlug.get>>
export type SummaryRow = Omit<PostRow, 'content'>

/** `ids` is a JSON array. */
export const postContents = preparedQuery<{ ids: string }>()((db, { ids }) =>
  db.select(fields).from(blogPosts).where(sql`${blogPosts.id} in (select value from json_each(${ids}))`),
)

/** The time to read at. Cached reads expire when the next post is due. */
function readingAt(ctx: Context): string {
  const now = ctx.now().toISOString()
  const due = nextPublication.get(ctx, { now })?.at ?? null
  if (due !== null) invalidateResponsesAt(ctx, new Date(due))
  return now
}

/** Newest first. */
export const publishedPosts = (ctx: Context): SummaryRow[] => postsByAge.all(ctx, { now: readingAt(ctx) })

const readAtOnce = 500

/** Newest first, a few milliseconds' worth at a time. */
export function* publishedPostsInParts(ctx: Context): Generator<SummaryRow[]> {
  const ids = idsByAge.all(ctx, { now: readingAt(ctx) }).map(({ id }) => id)
  for (let at = 0; at < ids.length; at += readAtOnce)
    yield postsOfIds.all(ctx, { ids: JSON.stringify(ids.slice(at, at + readAtOnce)) })
}

export const somePublishedPosts = (ctx: Context, limit: number, cursor: string | null): SummaryRow[] =>
  postsAfter.all(ctx, { now: readingAt(ctx), cursor, limit })

export const publishedPost = (ctx: Context, slug: string): PostRow | undefined =>
  postBySlug.get(ctx, { now: readingAt(ctx), slug })

export const olderPost = (ctx: Context, { publishedAt, id }: PostRow) =>
  olderThan.get(ctx, { now: readingAt(ctx), publishedAt, id })

export const newerPost = (ctx: Context, { publishedAt, id }: PostRow) =>
  newerThan.get(ctx, { now: readingAt(ctx), publishedAt, id })

const { content: _, shareImage: _share, ...summary } = getTableColumns(blogPosts)

type Sort = 'published' | 'changed' | 'title'

const listing: Listing<Sort> = {
  id: blogPosts.id,
  sorts: {
    published: sql`coalesce(${blogPosts.publishedAt}, ${blogPosts.createdAt})`,
    changed: blogPosts.updatedAt,
    title: sql`fold(${blogPosts.title})`,
  },
  defaultSort: '-changed',
  search: [blogPosts.title, blogPosts.slug, blogPosts.author, blogPosts.excerpt],
}

function shownAs(show: NonNullable<AdminPostQuery['show']>, now: string) {
  if (show === 'draft') return eq(blogPosts.isPublished, false)
  return and(eq(blogPosts.isPublished, true), show === 'scheduled' ? gt(publishedAt, now) : lte(publishedAt, now))
}

/** Includes drafts. */
export function listAllPosts(ctx: Context, request: AdminPostQuery & { limit: number }): ListPage<AdminPostSummary> {
  const shown = request.show && shownAs(request.show, ctx.now().toISOString())
  return readPage<Sort, AdminPostSummary>(listing, request, {
    rows: ({ where, orderBy, limit, position }) =>
      ctx.db
        .select({ ...summary, position })
        .from(blogPosts)
        .where(and(shown, ...where))
        .orderBy(...orderBy)
        .limit(limit)
        .all(),
    total: (where) => countWhere(ctx, blogPosts, and(shown, ...where)),
  })
}

export const postById = preparedQuery<{ id: string }>()((db, { id }) =>
  db.select().from(blogPosts).where(eq(blogPosts.id, id)),
)

export const idOfSlug = preparedQuery<{ slug: string }>()((db, { slug }) =>
  db.select({ id: blogPosts.id }).from(blogPosts).where(eq(blogPosts.slug, slug)),
)

const movedPost = cachedRead(
  (ctx, slug) =>
    ctx.db
      .select({ slug: blogPosts.slug, isPublished: blogPosts.isPublished, publishedAt })
      .from(blogRedirects)
      .innerJoin(blogPosts, eq(blogPosts.id, blogRedirects.postId))
      .where(eq(blogRedirects.slug, slug))
      .get() ?? null,
)

/** A published post's current slug by a former one; null if there is none. */
export function slugNow(ctx: Context, before: string): string | null {
  const post = movedPost(ctx, before)
  if (!post?.isPublished || post.publishedAt > readingAt(ctx) || idOfSlug.get(ctx, { slug: before })) return null
  return post.slug
}

const oldAddress = preparedQuery<{ path: string }>()((db, { path }) =>
  db
    .select({
      to: oldAddresses.to,
      slug: blogPosts.slug,
      isPublished: blogPosts.isPublished,
      publishedAt: nullable(blogPosts.id, publishedAt),
    })
    .from(oldAddresses)
    .leftJoin(blogPosts, eq(blogPosts.id, oldAddresses.postId))
    .where(eq(oldAddresses.path, path)),
)

/** Where a path of the site before this one leads now; null if nothing public is there. */
export function pathNow(ctx: Context, path: string): string | null {
  const found = oldAddress.get(ctx, { path })
  if (found === undefined) return null
  if (found.to !== null) return leadsToOwnPage(found.to) ? found.to : null
  const isOut = found.isPublished && found.publishedAt !== null && found.publishedAt <= readingAt(ctx)
  return isOut ? `/blog/${encodeURIComponent(found.slug ?? '')}` : null
}

export const slugsBefore = cachedRead((ctx, slug) =>
  ctx.db
    .select({ slug: blogRedirects.slug })
    .from(blogRedirects)
    .innerJoin(blogPosts, eq(blogPosts.id, blogRedirects.postId))
    .where(eq(blogPosts.slug, slug))
    .all()
    .map((before) => before.slug),
)

export const slugsOfPost = (ctx: Context, id: string): string[] =>
  ctx.db
    .select({ slug: blogRedirects.slug })
    .from(blogRedirects)
    .where(eq(blogRedirects.postId, id))
    .orderBy(asc(blogRedirects.slug))
    .all()
    .map(({ slug }) => slug)

const author = sql`(select ${displayName} from ${users} where 'user:' || ${users.id} = ${blogVersions.actor})`

/** A post's versions, newest first. */
export const versionsOfPost = (ctx: Context, postId: string): PostVersion[] =>
  ctx.db
    .select({
      version: blogVersions.version,
      title: jsonFieldOf(blogVersions.post, 'title').mapWith(String),
      by: nullable(users.email, author),
      createdAt: blogVersions.createdAt,
    })
    .from(blogVersions)
    .where(eq(blogVersions.postId, postId))
    .orderBy(desc(blogVersions.version))
    .all()

export const postAtVersion = (ctx: Context, { id, number }: { id: string; number: number }) =>
  ctx.db
    .select()
    .from(blogVersions)
    .where(and(eq(blogVersions.postId, id), eq(blogVersions.version, number)))
    .get()
