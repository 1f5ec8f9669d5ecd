import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { blogPosts } from '#api/db/schema/content.ts'
import { AppError } from '#api/errors.ts'
import { forgetKeptAnswers } from '#api/http/kept.ts'
import { ownOrigins } from '#api/http/request-facts.ts'
import { BlogPost, BlogPostList, type BlogPostSummary } from '#shared/contract/blog.ts'
import { readingMinutes } from '#shared/rules/reading.ts'
import { cleanHtml } from './clean-html.ts'
import { newerPost, olderPost, type PostRow, publishedPost, publishedPosts } from './queries.ts'

/** What is published, newest first. */
export function listPosts(ctx: Context): BlogPostSummary[] {
  return v.parse(BlogPostList, publishedPosts(ctx).map(withReadingTime))
}

const withReadingTime = (row: PostRow) => ({ ...row, readingMinutes: readingMinutes(row.content) })

/** A published post, or null. */
export function findPost(ctx: Context, slug: string): BlogPost | null {
  const row = publishedPost(ctx, slug)
  if (row === undefined) return null
  return v.parse(BlogPost, {
    ...withReadingTime(row),
    // Cleaned when it was stored, too: what got into the table by another way stays as harmless.
    content: cleanHtml(row.content, ownOrigins(ctx)),
    next: newerPost(ctx, row) ?? null,
    previous: olderPost(ctx, row) ?? null,
  })
}

export function getPost(ctx: Context, slug: string): BlogPost {
  const post = findPost(ctx, slug)
  if (post === null) throw new AppError('not_found', 'POST NOT FOUND')
  return post
}

type NewPost = Pick<
  typeof blogPosts.$inferInsert,
  'title' | 'slug' | 'excerpt' | 'content' | 'author' | 'isPublished' | 'featuredImage' | 'publishedAt'
>

/** Stores a post, its HTML cleaned. */
export function addPost(ctx: Context, post: NewPost): void {
  const at = ctx.now().toISOString()
  const content = cleanHtml(post.content, ownOrigins(ctx))
  ctx.db
    .insert(blogPosts)
    .values({ ...post, content, id: ctx.newId(), createdAt: at, updatedAt: at })
    .run()
  forgetKeptAnswers(ctx)
}
