import { setImmediate } from 'node:timers/promises'
import * as v from 'valibot'
import { type Context, perContext } from '#api/context.ts'
import { blogPosts } from '#api/db/schema/blog.ts'
import { AppError } from '#api/errors.ts'
import { errorMessage } from '#api/log.ts'
import { invalidateResponses } from '#api/serving/kept-answers.ts'
import { ownOrigins } from '#api/settings.ts'
import { BlogPost, BlogPostList, type BlogPostSummary, NewBlogPost, PictureAddress } from '#shared/contract/blog.ts'
import { photographWidths } from '#shared/rules/picture-address.ts'
import { readingMinutes } from '#shared/values/posts.ts'
import { cleanHtml } from './html-rules.ts'
import {
  newerPost,
  olderPost,
  type PostRow,
  postContents,
  publishedPost,
  publishedPosts,
  publishedPostsInParts,
  type SummaryRow,
  slugNow,
  somePublishedPosts,
} from './queries.ts'

export function listPosts(ctx: Context): BlogPostSummary[] {
  return summariesOf(ctx, publishedPosts(ctx))
}

/** All of them, in parts. */
export function* listPostsInParts(ctx: Context): Generator<BlogPostSummary[]> {
  for (const rows of publishedPostsInParts(ctx)) yield summariesOf(ctx, rows)
}

type PostPage = { posts: BlogPostSummary[]; next: string | null }

/** `next` is the next page's cursor, null at the end. */
export function pageOfPosts(ctx: Context, limit: number, cursor: string | null): PostPage {
  const rows = somePublishedPosts(ctx, limit + 1, cursor)
  const posts = summariesOf(ctx, rows.slice(0, limit))
  return { posts, next: rows.length > limit ? (posts.at(-1)?.id ?? null) : null }
}

function summariesOf(ctx: Context, rows: SummaryRow[]): BlogPostSummary[] {
  const uncounted = rows.filter((row) => knownMinutes(ctx, row) === undefined).map(({ id }) => id)
  for (const row of readContents(ctx, uncounted.splice(0, mostCounted))) countMinutes(ctx, row)
  if (uncounted.length > 0) void countInTurns(ctx, uncounted)
  return v.parse(
    BlogPostList,
    rows.map((row) => ({
      ...row,
      ...allowedPicture(row),
      readingMinutes: knownMinutes(ctx, row) ?? Math.max(1, Math.round(row.contentBytes / bytesPerMinute)),
    })),
  )
}

/** Cleaning a post of a thousand words takes a millisecond. */
const [mostCounted, countedAtOnce] = [30, 10]
/** A guess, until the words have been counted: 220 words with their spaces, and some markup. */
const bytesPerMinute = 1_400

type Counted = { of: string; minutes: number }
const counted = perContext(() => new Map<string, Counted>())

const versionOf = ({ updatedAt, contentBytes }: SummaryRow) => `${updatedAt} ${contentBytes}`

function knownMinutes(ctx: Context, row: SummaryRow): number | undefined {
  const known = counted(ctx).get(row.id)
  return known?.of === versionOf(row) ? known.minutes : undefined
}

const readContents = (ctx: Context, ids: readonly string[]): PostRow[] =>
  ids.length === 0 ? [] : postContents.all(ctx, { ids: JSON.stringify(ids) })

function countMinutes(ctx: Context, row: PostRow): void {
  counted(ctx).set(row.id, { of: versionOf(row), minutes: readingMinutes(cleanContent(ctx, row.content)) })
}

const counting = perContext(() => ({ isRunning: false, waiting: new Set<string>() }))

/** Thousands of posts take seconds, in which others are served too. */
async function countInTurns(ctx: Context, ids: readonly string[]): Promise<void> {
  const state = counting(ctx)
  for (const id of ids) state.waiting.add(id)
  if (state.isRunning) return
  state.isRunning = true
  try {
    while (state.waiting.size > 0) {
      await setImmediate()
      if (!ctx.sqlite.open) return
      const next = [...state.waiting].slice(0, countedAtOnce)
      for (const id of next) state.waiting.delete(id)
      for (const row of readContents(ctx, next)) countMinutes(ctx, row)
    }
    invalidateResponses(ctx, ['pages'])
  } catch (error) {
    ctx.log.error('reading times not counted', { reason: errorMessage(error) })
  } finally {
    state.isRunning = false
  }
}

type CleanPost = { from: string; content: string; readingMinutes: number }
const cleanPosts = perContext(() => new Map<string, CleanPost>())

/** Cleans the HTML again in case it got into the table another way. Cached until the post changes. */
function cleanPost(ctx: Context, { id, content: from }: PostRow): CleanPost {
  const all = cleanPosts(ctx)
  const known = all.get(id)
  if (known?.from === from) return known
  const content = shownContent(ctx, from)
  const made = { from, content, readingMinutes: readingMinutes(content) }
  all.set(id, made)
  return made
}

/** Hides a picture we wouldn't accept today. */
const allowedPicture = ({ featuredImage, shareImage }: SummaryRow) => ({
  featuredImage: v.is(PictureAddress, featuredImage) ? featuredImage : null,
  shareImage: v.is(PictureAddress, shareImage) ? shareImage : null,
})

/** A published post by its current or a former slug; null if there is none. */
export function findPost(ctx: Context, slug: string): BlogPost | null {
  const row = publishedPost(ctx, slug) ?? publishedPost(ctx, slugNow(ctx, slug) ?? '')
  if (row === undefined) return null
  return v.parse(BlogPost, {
    ...row,
    ...allowedPicture(row),
    ...cleanPost(ctx, row),
    next: newerPost(ctx, row) ?? null,
    previous: olderPost(ctx, row) ?? null,
  })
}

export function getPost(ctx: Context, slug: string): BlogPost {
  const post = findPost(ctx, slug)
  if (post === null) throw new AppError('not_found', 'POST NOT FOUND')
  return post
}

const storedPicture = /<img src="\/media\/([\w-]+)\.(?:jpg|png|webp)"([^<>]*?)\/?>/g

/** Offers stored pictures in several sizes and formats. `html` is clean, so no attribute contains an angle bracket. */
const withPictureSizes = (html: string): string =>
  html.replace(storedPicture, (whole, id: string) => {
    const sized = (format: string) =>
      photographWidths.map((width) => `/photographs/${id}-${width}.${format} ${width}w`).join(', ')
    const sources = (['avif', 'webp'] as const).map(
      (format) => `<source type="image/${format}" srcset="${sized(format)}" sizes="(min-width: 48em) 46rem, 100vw">`,
    )
    return `<picture>${sources.join('')}${whole}</picture>`
  })

/** HTML as readers see it. */
export const shownContent = (ctx: Context, html: string): string => withPictureSizes(cleanContent(ctx, html))

/** HTML as we store it. */
export const cleanContent = (ctx: Context, html: string): string => cleanHtml(html, ownOrigins(ctx.settings))

export function addPost(ctx: Context, post: NewBlogPost): void {
  const { content, publishedAt, ...checked } = v.parse(NewBlogPost, post)
  const at = ctx.now().toISOString()
  ctx.db
    .insert(blogPosts)
    .values({
      ...checked,
      content: cleanContent(ctx, content),
      publishedAt: publishedAt && new Date(publishedAt).toISOString(),
      id: ctx.newId(),
      createdAt: at,
      updatedAt: at,
    })
    .run()
  invalidateResponses(ctx, ['pages'])
}
