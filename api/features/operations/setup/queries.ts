import { and, asc, desc, eq, inArray, isNull, lte, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { auditEntries } from '#api/db/schema/audit.ts'
import { blogPosts } from '#api/db/schema/blog.ts'
import { memberVideos } from '#api/db/schema/videos.ts'
import { isShownOn } from '#api/features/media/shown-queries.ts'
import { londonDay } from '#shared/rules/london.ts'

/** The sandbox has sample videos and posts, so there only those an owner added count. */
function isOwn({ db, settings }: Context, id: SQLWrapper, action: string): SQL | undefined {
  if (!settings.isSandbox) return undefined
  const added = db.select({ id: auditEntries.targetId }).from(auditEntries).where(eq(auditEntries.action, action))
  return inArray(id, added)
}

/** Already visible to members. */
export const firstOwnVideo = (ctx: Context) =>
  ctx.db
    .select()
    .from(memberVideos)
    .where(and(isShownOn(sql`${londonDay(ctx.now())}`), isOwn(ctx, memberVideos.id, 'video.added')))
    .orderBy(asc(memberVideos.createdAt))
    .limit(1)
    .get()

/** Already visible to visitors. */
export const lastOwnPost = (ctx: Context) =>
  ctx.db
    .select({ title: blogPosts.title, slug: blogPosts.slug })
    .from(blogPosts)
    .where(
      and(
        eq(blogPosts.isPublished, true),
        or(isNull(blogPosts.publishedAt), lte(blogPosts.publishedAt, ctx.now().toISOString())),
        isOwn(ctx, blogPosts.id, 'post.created'),
      ),
    )
    .orderBy(desc(blogPosts.createdAt))
    .limit(1)
    .get()
