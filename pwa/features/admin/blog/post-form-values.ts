import type { FormValues } from '#pwa/features/admin/draft-storage.ts'
import type { AdminPost } from '#shared/contract/admin-post.ts'
import { siteCoach } from '#shared/contract/blog.ts'
import { idRandomBytes, uuidV7 } from '#shared/rules/id.ts'

/** What stands in the form, as the contract reads it. */
export const readPostForm = (typed: FormValues) => ({
  ...typed,
  isPublished: typed.isPublished === 'on',
  publishedAt: typed.publishedAt ? toInstant(typed.publishedAt) : null,
})

/** The key makes one post of a form that is sent twice, because its answer was lost. */
export const newPostValues = (): FormValues => ({
  author: siteCoach,
  key: uuidV7(Date.now(), crypto.getRandomValues(new Uint8Array(idRandomBytes))),
})

export const valuesOfPost = (post: AdminPost): FormValues => ({
  title: post.title,
  slug: post.slug,
  excerpt: post.excerpt ?? '',
  content: post.content,
  author: post.author,
  featuredImage: post.featuredImage ?? '',
  shareImage: post.shareImage ?? '',
  publishedAt: post.publishedAt === null ? '' : toLocal(post.publishedAt),
  version: String(post.version),
  ...(post.isPublished ? { isPublished: 'on' } : {}),
})

/** Field and device speak of the owner's own clock, the wire of UTC. */
function toLocal(instant: string): string {
  const at = new Date(instant)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

const toInstant = (local: string): string => (Number.isNaN(Date.parse(local)) ? local : new Date(local).toISOString())
