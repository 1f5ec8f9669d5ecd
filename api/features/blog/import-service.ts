import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import { runOncePerKey } from '#api/http/idempotency.ts'
import { invalidateResponses } from '#api/http/response-cache.ts'
import type { Owner } from '#api/http/session.ts'
import type { PostRequest } from '#shared/contract/admin-post.ts'
import { PostImport, type PostImportRequest } from '#shared/contract/post-import.ts'
import { addCheckedPost } from './admin-service.ts'
import { FileProblem, readMarkdown } from './markdown-rules.ts'
import { idOfSlug } from './queries.ts'

type Read = { file: string; post: PostRequest; leftOut: string[] }

/** Creates posts from Markdown files, all or none. */
export function importPosts(
  ctx: Context,
  owner: Owner,
  { request, key }: { request: PostImportRequest; key: string | undefined },
): PostImport {
  if (request.isTrial) return toImport(0, readFiles(ctx, request))
  const made = runOncePerKey(ctx, { scope: 'posts', key, body: request }, PostImport, () => {
    const read = readFiles(ctx, request)
    if (read.problems.length > 0) return toImport(0, read)
    for (const { post } of read.posts) addCheckedPost(ctx, owner, post)
    audit(ctx, owner.actor, 'post.imported', { detail: { posts: read.posts.length } })
    return toImport(read.posts.length, read)
  })
  invalidateResponses(ctx)
  return made
}

const toImport = (made: number, { posts, problems }: ReturnType<typeof readFiles>): PostImport => ({
  made,
  posts: posts.map(({ file, post: { title, slug, isPublished, publishedAt }, leftOut }) => ({
    ...{ file, title, slug, isPublished, publishedAt, leftOut },
  })),
  problems,
})

function readFiles(ctx: Context, { files, publishes }: PostImportRequest) {
  const posts: Read[] = []
  const problems: PostImport['problems'] = []
  const slugs = new Map<string, string>()
  for (const file of files) {
    try {
      const { post } = readMarkdown(file, publishes)
      const { slug } = post
      const other = slugs.get(slug)
      if (other !== undefined) throw new FileProblem(`It has the same address as ${other}: /blog/${slug}.`)
      if (idOfSlug.get(ctx, { slug })) throw new FileProblem(`You already have a post at /blog/${slug}.`)
      slugs.set(slug, file.name)
      posts.push({ file: file.name, post, leftOut: picturesElsewhere(post.content) })
    } catch (error) {
      if (!(error instanceof FileProblem) && !(error instanceof AppError)) throw error
      problems.push({ file: file.name, problem: error.message })
    }
  }
  return { posts, problems }
}

/** Pictures must be on this site: another site would learn who reads. */
const picturesElsewhere = (html: string): string[] =>
  [...html.matchAll(/<img[^<>]*?\ssrc="([^"]*)"/g)].map(([, src = '']) => src).filter((src) => !/^\/(?!\/)/.test(src))
