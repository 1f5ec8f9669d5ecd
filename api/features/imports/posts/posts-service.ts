import { eq } from 'drizzle-orm'
import * as v from 'valibot'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { insertIfAbsent } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { preparedQuery } from '#api/db/query.ts'
import { blogPosts, oldAddresses } from '#api/db/schema/blog.ts'
import { AppError } from '#api/errors.ts'
import { addCheckedPost, readPost } from '#api/features/site/blog/admin-service.ts'
import { postById } from '#api/features/site/blog/queries.ts'
import { cleanContent } from '#api/features/site/blog/service.ts'
import { invalidateResponses } from '#api/serving/kept-answers.ts'
import { PostRequest } from '#shared/contract/admin-post.ts'
import { plural } from '#shared/rules/plural.ts'
import { mediaNamedIn } from '#shared/values/media.ts'
import { hasContent } from '#shared/values/posts.ts'
import { openImportFile } from '../files-service.ts'
import type { AppliedRow, ImportKind, ImportTask, OpenedFile, PlannedRow } from '../kind-rules.ts'
import { foundInstead } from '../queries.ts'
import { withoutEmpty } from './html-rules.ts'
import { bringPicture, removeBroughtPictures } from './picture-service.ts'
import type { ForeignPost, ForeignRow } from './post-rules.ts'
import type { PostsOptions } from './posts-file-service.ts'

function openPostsFile(_ctx: Context, { file, fileName, options }: ImportTask): Promise<OpenedFile<ForeignRow>> {
  const given: PostsOptions = { fileName: fileName ?? '', site: options.site ?? undefined }
  return openImportFile(file, { as: 'posts', what: 'post', options: given })
}

const addressOf = preparedQuery<{ path: string }>()((db, { path }) =>
  db.select({ path: oldAddresses.path }).from(oldAddresses).where(eq(oldAddresses.path, path)),
)

const titleOfSlug = preparedQuery<{ slug: string }>()((db, { slug }) =>
  db.select({ id: blogPosts.id, title: blogPosts.title }).from(blogPosts).where(eq(blogPosts.slug, slug)),
)

function planPost(ctx: Context, row: ForeignRow): PlannedRow {
  if (row.kind === 'address') {
    if (addressOf.get(ctx, { path: row.from }) !== undefined) return { outcome: 'existing', key: row.from }
    return { outcome: 'new', key: row.from, facts: { redirects: 1, 'redirects-alone': 1 } }
  }
  const key = row.slug
  const facts = { drafts: Number(!row.isPublished), pictures: row.pictures.length, redirects: row.redirects }
  const same = titleOfSlug.get(ctx, row)
  if (same?.title === row.title) return { outcome: 'existing', key, madeId: same.id }
  const refused = (reason: string): PlannedRow => ({ outcome: 'refused', reason: `“${row.title}”: ${reason}` })
  if (same !== undefined) return refused(isThere(row))
  const noText = `There’s no text in it.${row.lost.length === 0 ? '' : ` Left out: ${row.lost.join('; ')}.`}`
  if (!hasContent(row.content)) return refused(noText)
  const read = v.safeParse(
    PostRequest,
    toRequest(
      row,
      row.pictures.map(() => '/media/planned.jpg'),
    ),
  )
  if (!read.success) return refused([...new Set(read.issues.map(({ message }) => message))].join(' '))
  if (!hasContent(cleanContent(ctx, read.output.content))) return refused(noText)
  return { outcome: 'new', key, facts, ...reasonOf(row) }
}

const isThere = ({ slug }: ForeignPost) => `You already have a post at /blog/${slug}.`

/** What a post loses on its way; nothing if it comes as it was. */
function reasonOf({ title, heldBack, lost }: ForeignPost, problems: readonly string[] = []): { reason?: string } {
  const remarks = [
    ...(heldBack === null ? [] : [heldBack]),
    ...(lost.length === 0 ? [] : [`Left out: ${lost.join('; ')}.`]),
    ...(problems.length === 0 ? [] : [`Without ${plural(problems.length, 'picture')}: ${problems.join(' ')}`]),
  ]
  return remarks.length === 0 ? {} : { reason: `“${title}”: ${remarks.join(' ')}` }
}

/** A post as our own form would send it. `pictures` are addresses here; one without is left out. */
function toRequest(row: ForeignPost, pictures: readonly (string | null)[]) {
  const { title, slug, excerpt, author, isPublished, publishedAt, featured, featuredImageAlt } = row
  return {
    title,
    slug,
    excerpt: excerpt ?? '',
    author: author ?? '',
    isPublished,
    publishedAt,
    content: withoutEmpty(
      row.content.replace(/<img src="\/~(\d+)"([^<>]*)>/g, (_, at: string, rest: string) => {
        const address = pictures[Number(at)]
        return address ? `<img src="${address}"${rest}>` : ''
      }),
    ),
    featuredImage: featured === null ? null : (pictures[featured] ?? null),
    featuredImageAlt: featuredImageAlt ?? '',
  }
}

async function applyPost(ctx: Context, row: ForeignRow, task: ImportTask): Promise<AppliedRow> {
  if (row.kind === 'address') {
    if (addressOf.get(ctx, { path: row.from }) !== undefined) return foundInstead(ctx, row.from)
    insertIfAbsent(ctx, oldAddresses, { path: row.from, to: row.to, createdAt: ctx.now().toISOString() })
    return { madeId: row.from }
  }
  const [pictures, problems]: [(string | null)[], string[]] = [[], []]
  for (const source of row.pictures) {
    const brought = await bringPicture(ctx, task, source)
    pictures.push('address' in brought ? brought.address : null)
    if ('problem' in brought) problems.push(brought.problem)
  }
  // With all its pictures it has what the plan saw.
  if (problems.length > 0 && !hasContent(cleanContent(ctx, toRequest(row, pictures).content)))
    return {
      madeId: null,
      facts: missing(problems),
      reason: `“${row.title}” has only pictures, and we couldn’t get them. ${problems.join(' ')}`,
    }
  const added = transact(ctx, () => addPost(ctx, task.actor, row, pictures))
  invalidateResponses(ctx, ['pages'])
  return { ...reasonOf(row, problems), facts: missing(problems), ...added }
}

/** The plan counts the pictures a post names. */
const missing = ({ length }: readonly string[]): AppliedRow['facts'] =>
  length === 0 ? {} : { pictures: -length, 'pictures-missing': length }

/** After a crash it finds what it made before. */
function addPost(ctx: Context, actor: string, row: ForeignPost, pictures: readonly (string | null)[]): AppliedRow {
  const same = titleOfSlug.get(ctx, row)
  if (same?.title === row.title) return foundInstead(ctx, same.id)
  if (same !== undefined) throw new AppError('conflict', `“${row.title}”: ${isThere(row)}`)
  const post = addCheckedPost(ctx, { actor }, v.parse(PostRequest, toRequest(row, pictures)))
  audit(ctx, actor, 'post.created', { targetId: post.id, detail: { title: post.title } })
  for (const path of row.addresses.filter((one) => one !== `/blog/${post.slug}`))
    insertIfAbsent(ctx, oldAddresses, { path, postId: post.id, createdAt: post.createdAt })
  return { madeId: post.id }
}

/** Takes a post out with the pictures it brought, until someone has changed it. Redirects are known by their path. */
async function undoPost(ctx: Context, id: string, { actor }: ImportTask): Promise<'undone' | 'used'> {
  if (id.startsWith('/')) {
    ctx.db.delete(oldAddresses).where(eq(oldAddresses.path, id)).run()
    invalidateResponses(ctx, ['pages'])
    return 'undone'
  }
  if (postById.get(ctx, { id }) === undefined) return 'undone'
  const post = readPost(ctx, id)
  if (post.version > 1) return 'used'
  transact(ctx, () => {
    ctx.db.delete(blogPosts).where(eq(blogPosts.id, id)).run()
    audit(ctx, actor, 'post.removed', { targetId: id, detail: { title: post.title, slug: post.slug } })
  })
  removeBroughtPictures(ctx, mediaNamedIn(JSON.stringify(post)))
  invalidateResponses(ctx, ['pages'])
  return 'undone'
}

export const postsKind: ImportKind<ForeignRow> = {
  isQuick: false,
  open: openPostsFile,
  plan: planPost,
  apply: applyPost,
  undo: undoPost,
}
