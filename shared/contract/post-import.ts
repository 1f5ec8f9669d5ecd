import * as v from 'valibot'

const longest = 200_000

const MarkdownFile = v.object({
  name: v.pipe(v.string(), v.nonEmpty(), v.maxLength(200)),
  text: v.pipe(v.string(), v.maxLength(longest, 'This file is too long. Keep a post under 200,000 characters.')),
})
export type MarkdownFile = v.InferOutput<typeof MarkdownFile>

/**
 * Turns the files into posts, all or none. `isTrial` only says what would be made. With `publishes`, files with a date that aren't
 * drafts are published; otherwise all become drafts.
 */
export const PostImportRequest = v.object({
  files: v.pipe(
    v.array(MarkdownFile),
    v.minLength(1, 'It has no Markdown files.'),
    v.maxLength(500, 'Choose up to 500 files at a time.'),
  ),
  publishes: v.optional(v.boolean(), false),
  isTrial: v.optional(v.boolean(), false),
})
export type PostImportRequest = v.InferOutput<typeof PostImportRequest>

export const PostImport = v.object({
  made: v.number(),
  posts: v.array(
    v.object({
      file: v.string(),
      title: v.string(),
      slug: v.string(),
      isPublished: v.boolean(),
      publishedAt: v.nullable(v.string()),
      leftOut: v.array(v.string()),
    }),
  ),
  problems: v.array(v.object({ file: v.string(), problem: v.string() })),
})
export type PostImport = v.InferOutput<typeof PostImport>
