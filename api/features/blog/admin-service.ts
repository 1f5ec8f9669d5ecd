import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { blogPosts } from '#api/db/schema/blog.ts'
import { AppError, notFound, versionConflict } from '#api/errors.ts'
import { runOncePerKey } from '#api/http/idempotency.ts'
import { invalidateResponses } from '#api/http/response-cache.ts'
import type { Owner } from '#api/http/session.ts'
import { AdminPost, type PostChangeRequest, PostRequest } from '#shared/contract/admin-post.ts'
import { messagesByField } from '#shared/contract/fields.ts'
import { hasContent, readingMinutes } from '#shared/rules/posts.ts'
import { idOfSlug, postById } from './queries.ts'
import { cleanContent } from './service.ts'

export function readPost(ctx: Context, id: string): AdminPost {
  const row = postById.get(ctx, { id })
  if (row === undefined) throw notFound('This post')
  return v.parse(AdminPost, row)
}

/** Content as the public page would show it. */
export function previewContent(ctx: Context, html: string) {
  const content = cleanContent(ctx, html)
  return { content, readingMinutes: readingMinutes(content) }
}

/** A request with a key that was used creates nothing. */
export function createPost(
  ctx: Context,
  owner: Owner,
  { request, key }: { request: PostRequest; key: string | undefined },
): AdminPost {
  const created = runOncePerKey(ctx, { scope: 'post', key, body: request }, AdminPost, () => {
    const [id, at] = [ctx.newId(), ctx.now().toISOString()]
    const post = toStored(ctx, request, null)
    assertSlugFree(ctx, post.slug, id)
    insertRow(ctx, blogPosts, { id, ...post, createdAt: at, updatedAt: at })
    audit(ctx, owner.actor, 'post.created', { targetId: id, detail: { title: post.title } })
    return readPost(ctx, id)
  })
  invalidateResponses(ctx)
  return created
}

/** The same change sent again, because its answer was lost, is no conflict with itself. */
export function changePost(
  ctx: Context,
  owner: Owner,
  { id, request }: { id: string; request: PostChangeRequest },
): AdminPost {
  const changed = transact(ctx, () => {
    const current = readPost(ctx, id)
    const { version, ...fields } = request
    const wanted = toStored(ctx, checkPost({ ...current, ...fields }), current)
    const before: Record<string, unknown> = current
    const names = Object.entries(wanted).flatMap(([name, value]) => (value === before[name] ? [] : [name]))
    if (names.length === 0) return current
    if (version !== current.version) throw versionConflict({ sent: { ...wanted, version }, current })
    assertSlugFree(ctx, wanted.slug, id)
    ctx.db
      .update(blogPosts)
      .set({ ...wanted, version: version + 1, updatedAt: ctx.now().toISOString() })
      .where(eq(blogPosts.id, id))
      .run()
    audit(ctx, owner.actor, 'post.changed', { targetId: id, detail: { title: wanted.title, fields: names } })
    return readPost(ctx, id)
  })
  invalidateResponses(ctx)
  return changed
}

export function removePost(ctx: Context, owner: Owner, { id, version }: { id: string; version?: number | undefined }) {
  transact(ctx, () => {
    const current = readPost(ctx, id)
    if (version !== undefined && version !== current.version) throw versionConflict({ sent: { id, version }, current })
    ctx.db.delete(blogPosts).where(eq(blogPosts.id, id)).run()
    audit(ctx, owner.actor, 'post.removed', { targetId: id, detail: { title: current.title, slug: current.slug } })
  })
  invalidateResponses(ctx)
  return { success: true as const }
}

function checkPost(given: unknown): PostRequest {
  const read = v.safeParse(PostRequest, given)
  if (read.success) return read.output
  throw refused(messagesByField(read.issues))
}

const refused = (fields: Record<string, string>) =>
  new AppError('invalid', 'Please check the marked fields.', { fields })

/** With clean HTML; a post that is published without a time has that of its first publication. */
function toStored(ctx: Context, post: PostRequest, current: AdminPost | null): PostRequest {
  const content = cleanContent(ctx, post.content)
  if (!hasContent(content)) throw refused({ content: 'Content is required' })
  const first = current?.publishedAt ?? ctx.now().toISOString()
  const given = post.publishedAt && new Date(post.publishedAt).toISOString()
  return { ...post, content, publishedAt: given ?? (post.isPublished ? first : null) }
}

function assertSlugFree(ctx: Context, slug: string, id: string): void {
  const taken = idOfSlug.get(ctx, { slug })
  if (taken !== undefined && taken.id !== id) throw refused({ slug: 'Another post has this slug.' })
}
