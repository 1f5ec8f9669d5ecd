import { and, eq, lte } from 'drizzle-orm'
import * as v from 'valibot'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { insertIfAbsent, insertRow, upsert } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { blogPosts, blogRedirects, blogVersions } from '#api/db/schema/blog.ts'
import { AppError, notFound, versionConflict } from '#api/errors.ts'
import type { Owner } from '#api/identity/person.ts'
import { runOncePerKey } from '#api/serving/idempotency.ts'
import { invalidateResponses } from '#api/serving/kept-answers.ts'
import { AdminPost, type PostAddresses, type PostChangeRequest, PostRequest } from '#shared/contract/admin-post.ts'
import { messagesByField } from '#shared/contract/fields.ts'
import { hasContent, readingMinutes } from '#shared/values/posts.ts'
import { idOfSlug, postAtVersion, postById, slugsOfPost, versionsOfPost } from './queries.ts'
import { cleanContent, shownContent } from './service.ts'

export function readPost(ctx: Context, id: string): AdminPost {
  const row = postById.get(ctx, { id })
  if (row === undefined) throw notFound('This post')
  return v.parse(AdminPost, row)
}

export function previewContent(ctx: Context, html: string) {
  const content = shownContent(ctx, html)
  return { content, readingMinutes: readingMinutes(content) }
}

/** Repeating a request with the same key creates nothing. */
export function createPost(
  ctx: Context,
  owner: Owner,
  { request, key }: { request: PostRequest; key: string | undefined },
): AdminPost {
  const created = runOncePerKey(ctx, { scope: 'post', key, body: request }, AdminPost, () => {
    const post = addCheckedPost(ctx, owner, request)
    audit(ctx, owner.actor, 'post.created', { targetId: post.id, detail: { title: post.title } })
    return post
  })
  invalidateResponses(ctx, ['pages'])
  return created
}

/** Call it in a transaction that also writes the audit log. */
export function addCheckedPost(ctx: Context, owner: Pick<Owner, 'actor'>, request: PostRequest): AdminPost {
  const [id, at] = [ctx.newId(), ctx.now().toISOString()]
  const post = toStored(ctx, request, null)
  assertSlugFree(ctx, post.slug, id)
  ctx.db.delete(blogRedirects).where(eq(blogRedirects.slug, post.slug)).run()
  insertRow(ctx, blogPosts, { id, ...post, createdAt: at, updatedAt: at })
  const stored = readPost(ctx, id)
  storeVersion(ctx, stored, owner.actor)
  return stored
}

/** Sending the same change again after a lost response isn't a conflict. */
export function changePost(
  ctx: Context,
  owner: Owner,
  { id, request }: { id: string; request: PostChangeRequest },
): AdminPost {
  const changed = transact(ctx, () => writePost(ctx, owner, { id, request, action: 'post.changed' }))
  invalidateResponses(ctx, ['pages'])
  return changed
}

type Write = { id: string; request: PostChangeRequest; action: 'post.changed' | 'post.restored' }

function writePost(ctx: Context, owner: Owner, { id, request, action }: Write): AdminPost {
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
  if (wanted.slug !== current.slug) keepAddress(ctx, current, wanted.slug)
  audit(ctx, owner.actor, action, { targetId: id, detail: { title: wanted.title, fields: names } })
  const stored = readPost(ctx, id)
  // A post older than versions gets its first one with its first change.
  storeVersion(ctx, current, null)
  storeVersion(ctx, stored, owner.actor)
  return stored
}

/** Redirects the former address if it was ever public, and removes any redirect from the new one. */
function keepAddress(ctx: Context, { id, slug, isPublished }: AdminPost, now: string): void {
  ctx.db.delete(blogRedirects).where(eq(blogRedirects.slug, now)).run()
  if (isPublished) upsert(ctx, blogRedirects, { slug, postId: id, createdAt: ctx.now().toISOString() })
}

/** Adds addresses that redirect to the post, so that a copied site keeps the ones others link to. */
export function addAddresses(ctx: Context, owner: Owner, { id, slugs }: PostAddresses & { id: string }): PostAddresses {
  const all = transact(ctx, () => {
    const { slug, title } = readPost(ctx, id)
    const known = slugsOfPost(ctx, id)
    const added = slugs.filter((one) => one !== slug && !known.includes(one))
    for (const one of added) {
      assertSlugFree(ctx, one, id)
      upsert(ctx, blogRedirects, { slug: one, postId: id, createdAt: ctx.now().toISOString() })
    }
    if (added.length > 0)
      audit(ctx, owner.actor, 'post.changed', { targetId: id, detail: { title, fields: ['addresses'] } })
    return slugsOfPost(ctx, id)
  })
  invalidateResponses(ctx, ['pages'])
  return { slugs: all }
}

const mostVersions = 100

function storeVersion(ctx: Context, post: AdminPost, actor: string | null): void {
  const { id: postId, version, updatedAt: createdAt } = post
  insertIfAbsent(ctx, blogVersions, { postId, version, post: v.parse(PostRequest, post), actor, createdAt })
  const tooOld = and(eq(blogVersions.postId, postId), lte(blogVersions.version, version - mostVersions))
  ctx.db.delete(blogVersions).where(tooOld).run()
}

export function listVersions(ctx: Context, id: string) {
  readPost(ctx, id)
  return versionsOfPost(ctx, id)
}

/** The version with that number. The newest is the current post. */
export function readPostAt(ctx: Context, { id, number }: { id: string; number: number }) {
  const stored = postAtVersion(ctx, { id, number })
  if (stored === undefined) throw notFound('This version')
  const facts = versionsOfPost(ctx, id).find(({ version }) => version === number)
  return { by: null, ...facts, version: number, createdAt: stored.createdAt, ...v.parse(PostRequest, stored.post) }
}

/** Restores an earlier version's text and pictures. Leaves its address and publication alone. */
export function restorePost(
  ctx: Context,
  owner: Owner,
  { id, number, version }: { id: string; number: number; version: number },
): AdminPost {
  const restored = transact(ctx, () => {
    const { title, excerpt, content, author, featuredImage, featuredImageAlt, shareImage } = readPostAt(ctx, {
      id,
      number,
    })
    const pictures = { featuredImage, featuredImageAlt, shareImage }
    const request = { title, excerpt, content, author, ...pictures, version }
    return writePost(ctx, owner, { id, request, action: 'post.restored' })
  })
  invalidateResponses(ctx, ['pages'])
  return restored
}

export function removePost(ctx: Context, owner: Owner, { id, version }: { id: string; version?: number | undefined }) {
  transact(ctx, () => {
    const current = readPost(ctx, id)
    if (version !== undefined && version !== current.version) throw versionConflict({ sent: { id, version }, current })
    ctx.db.delete(blogPosts).where(eq(blogPosts.id, id)).run()
    audit(ctx, owner.actor, 'post.removed', { targetId: id, detail: { title: current.title, slug: current.slug } })
  })
  invalidateResponses(ctx, ['pages'])
  return { success: true as const }
}

function checkPost(given: unknown): PostRequest {
  const read = v.safeParse(PostRequest, given)
  if (read.success) return read.output
  throw refused(messagesByField(read.issues))
}

const refused = (fields: Record<string, string>) => new AppError('invalid', 'Check the marked fields.', { fields })

/** A post from elsewhere as ours are stored. */
export const checkedPost = (ctx: Context, given: unknown): PostRequest => toStored(ctx, checkPost(given), null)

/** With clean HTML. A published post without a time gets that of its first publication. */
function toStored(ctx: Context, post: PostRequest, current: AdminPost | null): PostRequest {
  const content = cleanContent(ctx, post.content)
  if (!hasContent(content)) throw refused({ content: 'Content is required' })
  const first = current?.publishedAt ?? ctx.now().toISOString()
  const given = post.publishedAt && new Date(post.publishedAt).toISOString()
  return { ...post, content, publishedAt: given ?? (post.isPublished ? first : null) }
}

export function assertSlugFree(ctx: Context, slug: string, id: string): void {
  const taken = idOfSlug.get(ctx, { slug })
  if (taken !== undefined && taken.id !== id) throw refused({ slug: 'Another post has this slug.' })
}
