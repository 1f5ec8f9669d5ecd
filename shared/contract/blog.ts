import * as v from 'valibot'

/** A published post as lists show it. Times are ISO-8601 UTC. */
export const BlogPostSummary = v.object({
  id: v.string(),
  title: v.string(),
  slug: v.string(),
  excerpt: v.nullable(v.string()),
  author: v.string(),
  /** Path or https address of the picture. */
  featuredImage: v.nullable(v.string()),
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
  /** HTML, cleaned by the server. */
  content: v.string(),
  /** The newer and the older post. */
  next: Neighbour,
  previous: Neighbour,
})
export type BlogPost = v.InferOutput<typeof BlogPost>

export const BlogPostParams = v.object({ slug: v.string() })
