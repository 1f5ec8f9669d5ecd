import type { Statement } from 'better-sqlite3'
import type { Context } from '#api/context.ts'
import { forgetKeptAnswersAt } from '#api/http/kept.ts'
import type { BlogPost } from '#shared/contract/blog.ts'

/** A post that is published and due, as it is stored; one without a date of publishing has that of its making. */
export type PostRow = {
  id: string
  title: string
  slug: string
  excerpt: string | null
  content: string
  author: string
  featuredImage: string | null
  publishedAt: string
  createdAt: string
  updatedAt: string
}

type Neighbour = NonNullable<BlogPost['next']>
type Place = [publishedAt: string, id: string]

type Lookups = {
  all: Statement<[now: string], PostRow>
  after: Statement<[now: string, cursor: string | null, cursor: string | null, limit: number], PostRow>
  bySlug: Statement<[now: string, slug: string], PostRow>
  older: Statement<[now: string, ...Place], Neighbour>
  newer: Statement<[now: string, ...Place], Neighbour>
  nextDue: Statement<[now: string], string | null>
}

const day = 'coalesce(publishedAt, createdAt)'
const columns = `id, title, slug, excerpt, content, author, featuredImage, ${day} as publishedAt, createdAt, updatedAt`
const published = `from blog_posts where isPublished = 1 and ${day} <= ?`
const newestFirst = `order by ${day} desc, id desc`

const prepare = ({ sqlite }: Context): Lookups => {
  const neighbour = (is: '<' | '>', order: 'asc' | 'desc') =>
    sqlite.prepare<[string, ...Place], Neighbour>(
      `select slug, title ${published} and (${day}, id) ${is} (?, ?) order by ${day} ${order}, id ${order} limit 1`,
    )
  const isAfter = `(? is null or (${day}, id) < (select ${day}, id from blog_posts where id = ?))`
  return {
    all: sqlite.prepare(`select ${columns} ${published} ${newestFirst}`),
    after: sqlite.prepare(`select ${columns} ${published} and ${isAfter} ${newestFirst} limit ?`),
    bySlug: sqlite.prepare(`select ${columns} ${published} and slug = ?`),
    older: neighbour('<', 'desc'),
    newer: neighbour('>', 'asc'),
    nextDue: sqlite
      .prepare<[string], string | null>(`select min(${day}) from blog_posts where isPublished = 1 and ${day} > ?`)
      .pluck(),
  }
}

const kept = new WeakMap<Context, Lookups>()
function lookupsOf(ctx: Context): Lookups {
  const found = kept.get(ctx) ?? prepare(ctx)
  kept.set(ctx, found)
  return found
}

/** The moment to read at; what is kept of the reading goes when the next post is due. */
function readingAt(ctx: Context): string {
  const at = ctx.now().toISOString()
  const due = lookupsOf(ctx).nextDue.get(at)
  if (due) forgetKeptAnswersAt(ctx, new Date(due))
  return at
}

/** Newest first. */
export const publishedPosts = (ctx: Context): PostRow[] => lookupsOf(ctx).all.all(readingAt(ctx))

/** At most `limit` of them, those after the post with the id `cursor`. */
export const somePublishedPosts = (ctx: Context, limit: number, cursor: string | null): PostRow[] =>
  lookupsOf(ctx).after.all(readingAt(ctx), cursor, cursor, limit)

export const publishedPost = (ctx: Context, slug: string): PostRow | undefined =>
  lookupsOf(ctx).bySlug.get(readingAt(ctx), slug)

export const olderPost = (ctx: Context, { publishedAt, id }: PostRow) =>
  lookupsOf(ctx).older.get(readingAt(ctx), publishedAt, id)

export const newerPost = (ctx: Context, { publishedAt, id }: PostRow) =>
  lookupsOf(ctx).newer.get(readingAt(ctx), publishedAt, id)
