import type { Statement } from 'better-sqlite3'
import type { Context } from '#api/context.ts'
import type { BlogPost } from '#shared/contract/blog.ts'

/** A published post as it is stored; one without a date of publishing has that of its making. */
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
  all: Statement<[], PostRow>
  bySlug: Statement<[string], PostRow>
  older: Statement<Place, Neighbour>
  newer: Statement<Place, Neighbour>
}

const day = 'coalesce(publishedAt, createdAt)'
const columns = `id, title, slug, excerpt, content, author, featuredImage, ${day} as publishedAt, createdAt, updatedAt`

const prepare = ({ sqlite }: Context): Lookups => {
  const neighbour = (is: '<' | '>', order: 'asc' | 'desc') =>
    sqlite.prepare<Place, Neighbour>(
      `select slug, title from blog_posts where isPublished = 1 and (${day}, id) ${is} (?, ?)
       order by ${day} ${order}, id ${order} limit 1`,
    )
  return {
    all: sqlite.prepare(`select ${columns} from blog_posts where isPublished = 1 order by ${day} desc, id desc`),
    bySlug: sqlite.prepare(`select ${columns} from blog_posts where isPublished = 1 and slug = ?`),
    older: neighbour('<', 'desc'),
    newer: neighbour('>', 'asc'),
  }
}

const kept = new WeakMap<Context, Lookups>()
function lookupsOf(ctx: Context): Lookups {
  const found = kept.get(ctx) ?? prepare(ctx)
  kept.set(ctx, found)
  return found
}

/** Newest first. */
export const publishedPosts = (ctx: Context): PostRow[] => lookupsOf(ctx).all.all()

export const publishedPost = (ctx: Context, slug: string): PostRow | undefined => lookupsOf(ctx).bySlug.get(slug)

export const olderPost = (ctx: Context, { publishedAt, id }: PostRow) => lookupsOf(ctx).older.get(publishedAt, id)

export const newerPost = (ctx: Context, { publishedAt, id }: PostRow) => lookupsOf(ctx).newer.get(publishedAt, id)
