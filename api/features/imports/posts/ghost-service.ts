import * as v from 'valibot'
import { standAt } from '#api/file-position.ts'
import { readJson } from '../json-service.ts'
import { isCut, tooLong } from '../long-values-rules.ts'
import type { Pack } from '../pack-service.ts'
import { convertHtml } from './html-rules.ts'
import { countLost } from './lost-rules.ts'
import { createOldSite, type SiteOptions } from './old-site-rules.ts'
import { contentOf, type ForeignPost, instantOf, ourSlug, plainText, type Read, titleOf } from './post-rules.ts'

/* Ghost writes `{ db: [{ meta, data: { posts, users, posts_authors, posts_meta, … } }] }`, and some versions leave `db` out. This
   comes from other importers and from fixtures, not from Ghost's own description. */

const Text = v.optional(v.nullable(v.string()), null)
const Time = v.optional(v.nullable(v.union([v.string(), v.number()])), null)
const Id = v.pipe(v.union([v.string(), v.number()]), v.transform(String))

const Post = v.object({
  id: Id,
  title: v.optional(v.nullable(v.string()), ''),
  slug: Text,
  html: Text,
  lexical: Text,
  mobiledoc: Text,
  feature_image: Text,
  /** Its name before Ghost 1. */
  image: Text,
  custom_excerpt: Text,
  /** `post` or `page`. Before Ghost 3, `page` was a number. */
  type: Text,
  page: v.optional(v.nullable(v.union([v.boolean(), v.number()])), null),
  status: Text,
  visibility: Text,
  published_at: Time,
  author_id: v.optional(v.nullable(Id), null),
})
type Post = v.InferOutput<typeof Post>

const User = v.object({ id: Id, name: Text })
const PostAuthor = v.object({ post_id: Id, author_id: Id, sort_order: v.optional(v.nullable(v.number()), 0) })
const PostMeta = v.object({ post_id: Id, feature_image_alt: Text, feature_image_caption: Text })

const tables = ['posts', 'users', 'posts_authors', 'posts_meta']
const paths = ['$.data', '$.db.*.data'].flatMap((root) => tables.map((table) => `${root}.${table}.*`))

const damaged = 'This file is cut short or damaged. Export it from Ghost again.'

/** Rows of those tables. */
const rowsOf = (chunks: AsyncIterable<Uint8Array>) =>
  readJson(chunks, { paths, damaged, isRow: (key) => key === 'posts' })

/** What posts refer to, from a first pass. */
type Known = {
  names: Map<string, string>
  authors: Map<string, string[]>
  /** What main pictures show, and the captions below them. */
  alts: Map<string, string>
  captions: Map<string, string>
  /** The addresses of posts, so that links between them stay links between them. */
  slugs: Map<string, string>
}

async function readKnown(pack: Pack, name: string): Promise<Known> {
  const known: Known = { names: new Map(), authors: new Map(), alts: new Map(), captions: new Map(), slugs: new Map() }
  const readers: Record<string, (value: unknown) => void> = {
    posts: (value) => {
      const post = v.safeParse(Post, value)
      if (post.success && !isPage(post.output) && post.output.slug)
        known.slugs.set(`/${post.output.slug}`, ourSlug(post.output.slug, post.output.title ?? ''))
    },
    users: (value) => {
      const user = v.safeParse(User, value)
      if (user.success && user.output.name) known.names.set(user.output.id, user.output.name)
    },
    posts_authors: (value) => {
      const link = v.safeParse(PostAuthor, value)
      if (!link.success) return
      const { post_id, author_id, sort_order } = link.output
      const all = known.authors.get(post_id) ?? []
      all[sort_order ?? all.length] = author_id
      known.authors.set(post_id, all)
    },
    posts_meta: (value) => {
      const meta = v.safeParse(PostMeta, value)
      if (!meta.success) return
      const { post_id, feature_image_alt: alt, feature_image_caption: caption } = meta.output
      if (alt) known.alts.set(post_id, alt)
      if (caption) known.captions.set(post_id, caption)
    },
  }
  for await (const { key, value } of rowsOf(await pack.stream(name))) readers[key]?.(value)
  return known
}

export async function* readGhost(pack: Pack, name: string, options: SiteOptions): AsyncGenerator<Read> {
  const known = await readKnown(pack, name)
  for await (const { key, value, line } of rowsOf(await pack.stream(name))) {
    if (key !== 'posts') continue
    standAt(line)
    const read = v.safeParse(Post, value)
    if (!read.success) yield { line, refused: 'We can’t read this post.' }
    else if (isLong(read.output)) yield { line, refused: `“${titleOf(read.output.title)}”: ${tooLong}` }
    else if (isPage(read.output))
      yield { line, refused: `“${titleOf(read.output.title)}” is a page. Write it under Site.` }
    else yield toRead(line, read.output, { pack, known, options })
  }
}

/** Ghost's own document is only read for what its HTML doesn't have. */
const isLong = ({ lexical: _, mobiledoc: __, ...post }: Post) =>
  Object.values(post).some((value) => typeof value === 'string' && isCut(value))

const isPage = ({ type, page }: Post) => type === 'page' || Boolean(page)

type From = { pack: Pack; known: Known; options: SiteOptions }

function toRead(line: number, post: Post, { pack, known, options }: From): Read {
  const title = titleOf(post.title)
  if (!post.html?.trim())
    return { line, refused: `“${title}” has no HTML in this file. Open it in Ghost, save it and export again.` }
  const site = createOldSite(pack, options, known.slugs)
  const main = post.feature_image || post.image
  const featured = main ? site.picture(main) : null
  const caption = plainText(known.captions.get(post.id), 200)
  const { html, lost } = convertHtml(post.html, site)
  // A main picture has no caption here, so it says what the picture shows, unless something else does.
  const lostCaption = caption !== null && known.alts.has(post.id) ? [`the main picture’s caption, “${caption}”`] : []
  const isPublished = (post.status === 'published' || post.status === 'scheduled') && heldBackBecause(post) === null
  const row: ForeignPost = {
    kind: 'post',
    title,
    slug: ourSlug(post.slug, title),
    content: contentOf(html),
    isPublished,
    featured,
    excerpt: plainText(post.custom_excerpt, 500),
    author: authorOf(post, known),
    publishedAt: instantOf(post.published_at),
    featuredImageAlt: plainText(known.alts.get(post.id), 200) ?? caption,
    pictures: site.pictures,
    redirects: 0,
    addresses: post.slug ? site.addressesOf(`/${post.slug}`) : [],
    lost: [...lost, ...countLost(site.missing), ...lostParts(post), ...lostCaption],
    heldBack: heldBackBecause(post),
  }
  return { line, row }
}

/** `sent`: it went out as an email and was never on the site. */
function heldBackBecause({ status, visibility }: Post): string | null {
  if (visibility !== null && visibility !== 'public')
    return 'It was for members only, and anyone can read posts here. So it’s a draft.'
  return status === 'sent' ? 'It only ever went out by email. So it’s a draft.' : null
}

function authorOf({ id, author_id }: Post, { names, authors }: Known): string | null {
  const ids = authors.get(id) ?? (author_id === null ? [] : [author_id])
  const found = Object.values(ids).flatMap((one) => names.get(one) ?? [])
  return found.length === 0 ? null : new Intl.ListFormat('en-GB').format(found).slice(0, 100)
}

/** Parts of Ghost's own document that its HTML doesn't have. */
const parts: Record<string, string> = {
  email: 'part for emails only',
  'email-cta': 'part for emails only',
  paywall: 'line where the free part ended',
  signup: 'sign-up form',
  transistor: 'podcast player',
}

function lostParts({ lexical, mobiledoc }: Post): string[] {
  const lost = new Map<string, number>()
  for (const [, name = ''] of [
    ...(lexical ?? '').matchAll(/"type":\s*"([\w-]+)"/g),
    ...(mobiledoc ?? '').matchAll(/\["([\w-]+)",\s*\{/g),
  ]) {
    const part = Object.hasOwn(parts, name) ? parts[name] : undefined
    if (part !== undefined && part !== 'sign-up form') lost.set(part, (lost.get(part) ?? 0) + 1)
  }
  return countLost(lost)
}
