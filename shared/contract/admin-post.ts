import * as v from 'valibot'
import { hasContent, siteCoach, slugOf } from '#shared/values/posts.ts'
import { PictureAddress } from './blog.ts'
import { Instant, OptionalLine, OptionalText, RequiredLine } from './fields.ts'
import { listEntries } from './listing.ts'

const summary = {
  id: v.string(),
  title: v.string(),
  slug: v.string(),
  excerpt: v.nullable(v.string()),
  author: v.string(),
  isPublished: v.boolean(),
  featuredImage: v.nullable(v.string()),
  featuredImageAlt: v.nullable(v.string()),
  publishedAt: v.nullable(v.string()),
  createdAt: v.string(),
  updatedAt: v.string(),
  version: v.number(),
}

export const AdminPostSummary = v.object(summary)
export type AdminPostSummary = v.InferOutput<typeof AdminPostSummary>
export const AdminPostList = v.array(AdminPostSummary)

/** `content` is HTML, sanitised by the server. A change names the version it was made from. */
export const AdminPost = v.object({ ...summary, content: v.string(), shareImage: v.nullable(v.string()) })
export type AdminPost = v.InferOutput<typeof AdminPost>

export const AdminPostQuery = v.object({
  ...listEntries('published', 'changed', 'title'),
  show: v.optional(v.picklist(['published', 'scheduled', 'draft'])),
})
export type AdminPostQuery = v.InferOutput<typeof AdminPostQuery>

const Content = v.pipe(
  v.string('Content is required'),
  v.maxLength(200_000, 'Use up to 200,000 characters, including markup.'),
  v.check(hasContent, 'Content is required'),
)

export const Slug = v.pipe(
  RequiredLine('Slug'),
  v.check((slug) => slugOf(slug) === slug, 'Use small letters, digits and single hyphens.'),
)

const EmptyAsNull = v.pipe(
  v.literal(''),
  v.transform(() => null),
)

const notOurs = () => 'Choose a picture from the library, or one under /pictures/.'
const OptionalPicture = v.optional(v.nullable(v.union([EmptyAsNull, PictureAddress], notOurs)), null)

const fields = {
  title: RequiredLine('Title'),
  slug: Slug,
  excerpt: OptionalText(500),
  content: Content,
  author: v.pipe(
    OptionalLine(100),
    v.transform((author) => author ?? siteCoach),
  ),
  isPublished: v.optional(v.boolean(), false),
  featuredImage: OptionalPicture,
  /** What the picture shows, for people who can't see it. */
  featuredImageAlt: OptionalLine(200),
  shareImage: OptionalPicture,
  /** A time in the future schedules the post. Null means the moment it's first published. */
  publishedAt: v.optional(v.nullable(Instant), null),
}

const missing: Record<string, string> = {
  '"title"': 'Title is required',
  '"slug"': 'Slug is required',
  '"content"': 'Content is required',
}

export const PostRequest = v.object(fields, ({ expected }) => missing[expected ?? ''] ?? 'Fill in this field.')
export type PostRequest = v.InferOutput<typeof PostRequest>

export const PostChangeRequest = v.object({
  ...v.partial(v.object(fields)).entries,
  version: v.pipe(v.number(), v.integer(), v.minValue(1)),
})
export type PostChangeRequest = v.InferOutput<typeof PostChangeRequest>

export const PostAddresses = v.object({ slugs: v.pipe(v.array(Slug), v.maxLength(200)) })
export type PostAddresses = v.InferOutput<typeof PostAddresses>

export const PostParams = v.object({ id: v.pipe(v.string(), v.maxLength(64)) })

/** `version` is the post's as the owner saw it. Without it we remove the post whatever its version. */
export const RemovePostQuery = v.strictObject({
  version: v.optional(v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.transform(Number))),
})
export const PostRemoved = v.object({ success: v.literal(true) })

/** A post as it was after a change. `by` is who made it, if we still have the account. */
export const PostVersion = v.object({
  version: v.number(),
  title: v.string(),
  by: v.nullable(v.string()),
  createdAt: v.string(),
})
export type PostVersion = v.InferOutput<typeof PostVersion>
export const PostVersionList = v.array(PostVersion)
export const PostVersionParams = v.object({
  ...PostParams.entries,
  number: v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.transform(Number)),
})
export const PostAtVersion = v.object({
  ...PostVersion.entries,
  ...v.pick(AdminPost, ['excerpt', 'content', 'author', 'slug', 'featuredImage', 'featuredImageAlt', 'shareImage'])
    .entries,
})
export const RestorePostRequest = v.object({ version: v.pipe(v.number(), v.integer(), v.minValue(1)) })

export const PostPreviewRequest = v.object({ content: v.pipe(v.string(), v.maxLength(200_000)) })
export const PostPreview = v.object({ content: v.string(), readingMinutes: v.number() })
