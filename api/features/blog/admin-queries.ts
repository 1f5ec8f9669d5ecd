import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { type Listing, type ListPage, readPage } from '#api/db/listing.ts'
import { countWhere, preparedQuery } from '#api/db/query.ts'
import { blogPosts } from '#api/db/schema/blog.ts'
import type { AdminPostQuery, AdminPostSummary } from '#shared/contract/admin-post.ts'

const { content: _, ...summary } = getTableColumns(blogPosts)

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

/** Drafts too. */
export function listAllPosts(ctx: Context, request: AdminPostQuery & { limit: number }): ListPage<AdminPostSummary> {
  const shown = request.show && eq(blogPosts.isPublished, request.show === 'published')
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
