import * as v from 'valibot'
import { siteCoach, slugOf } from '#shared/values/posts.ts'
import { Instant, Page } from './fields.ts'

/** Times are ISO-8601 UTC. */
export const BlogPostSummary = v.object({
  id: v.string(),
  title: v.string(),
  slug: v.string(),
  excerpt: v.nullable(v.string()),
  author: v.string(),
  /** Path under /pictures/. */
  featuredImage: v.nullable(v.string()),
  /** What the picture shows, for people who can't see it. */
  featuredImageAlt: v.nullable(v.string()),
  publishedAt: v.nullable(v.string()),
  createdAt: v.string(),
  readingMinutes: v.number(),
})
export type BlogPostSummary = v.InferOutput<typeof BlogPostSummary>

/** Newest first. */
export const BlogPostList = v.array(BlogPostSummary)
export type BlogPostList = v.InferOutput<typeof BlogPostList>

const Neighbour = v.nullable(v.object({ slug: v.string(), title: v.string() }))

export const BlogPost = v.object({
  ...BlogPostSummary.entries,
  /** HTML, sanitised by the server. */
  content: v.string(),
  shareImage: v.nullable(v.string()),
  /** The newer post and the older one. */
  next: Neighbour,
  previous: Neighbour,
})
export type BlogPost = v.InferOutput<typeof BlogPost>

export const BlogPostParams = v.object({ slug: v.string() })

/** Without limit and cursor it lists every post. The cursor is the id of the previous page's last post. */
export const BlogPostQuery = Page

const Slug = v.pipe(
  v.string(),
  v.nonEmpty('Slug is required'),
  v.check((slug) => slugOf(slug) === slug, 'Use small letters, digits and single hyphens.'),
)

/** A picture on this site, drawn or stored. One from another site would tell that site about every reader. */
export const PictureAddress = v.pipe(
  v.string(),
  v.regex(
    /^\/(pictures\/(?!.*\.\.)[\w./-]+|media\/[\w-]+\.(jpg|png|webp))$/,
    'Choose a picture from the library, or one under /pictures/.',
  ),
)

/** A new post. If `publishedAt` is in the future, we publish it then. */
export const NewBlogPost = v.object({
  title: v.pipe(v.string(), v.nonEmpty('Title is required')),
  slug: Slug,
  excerpt: v.optional(v.nullable(v.string()), null),
  content: v.string(),
  author: v.optional(v.string(), siteCoach),
  isPublished: v.optional(v.boolean(), false),
  featuredImage: v.optional(v.nullable(PictureAddress), null),
  featuredImageAlt: v.optional(v.nullable(v.string()), null),
  publishedAt: v.optional(v.nullable(Instant), null),
})
export type NewBlogPost = v.InferInput<typeof NewBlogPost>
