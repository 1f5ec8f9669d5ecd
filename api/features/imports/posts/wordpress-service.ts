import { AppError } from '#api/errors.ts'
import { standAt } from '#api/file-position.ts'
import { isCut, mostValue, textOf, tooLong, withoutLongSections } from '../long-values-rules.ts'
import type { Pack } from '../pack-service.ts'
import { convertHtml } from './html-rules.ts'
import { countLost } from './lost-rules.ts'
import { createOldSite, type SiteOptions } from './old-site-rules.ts'
import { contentOf, type ForeignPost, instantOf, ourSlug, pathOf, plainText, type Read, titleOf } from './post-rules.ts'
import { withoutShortcodes } from './shortcodes-rules.ts'

/* WordPress' own export (WXR 1.2). The names of its elements come from other importers and from fixtures. */

/** The first text of each element, and its `wp:postmeta` by key. */
type Item = { texts: Map<string, string>; meta: Map<string, string> }

type Head = {
  site: string | undefined
  authors: Map<string, string>
  /** Pictures of the library by id. */
  files: Map<string, { address: string; alt: string }>
  slugs: Map<string, string>
}

/** All we read of an element. The rest of a post, such as its comments, is let go. */
const read = new Set([
  ...['title', 'link', 'dc:creator', 'content:encoded', 'excerpt:encoded', 'wp:base_site_url', 'wp:base_blog_url'],
  ...['wp:author_login', 'wp:author_display_name', 'wp:post_type', 'wp:post_id', 'wp:post_name', 'wp:post_password'],
  ...['wp:post_date', 'wp:post_date_gmt', 'wp:status', 'wp:attachment_url'],
])
const readMeta = new Set(['_thumbnail_id', '_wp_attachment_image_alt'])

/** An export has six levels. */
const mostLevels = 200

/** `line`: its place among posts and pages; null if it's neither. */
type Found = { kind: 'channel' | 'author' | 'item'; item: Item; line: number | null }

const newItem = (): Item => ({ texts: new Map(), meta: new Map() })

/**
 * The channel's own texts, its authors and its items, one at a time. What's being read is noted as the place: the post after the
 * last whole one.
 */
async function* partsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Found> {
  const { Parser } = await import('htmlparser2')
  const found: Found[] = []
  let posts = 0
  const reader = startReader((kind, item) => {
    const isPost = kind === 'item' && /^(post|page)$/.test(item.texts.get('wp:post_type') ?? '')
    if (isPost) posts += 1
    found.push({ kind, item, line: isPost ? posts : null })
    standAt(posts + 1)
  })
  const parser = new Parser(reader.handler, { xmlMode: true, decodeEntities: true })
  standAt(1)
  for await (const piece of withoutLongSections(textOf(chunks))) {
    parser.write(piece)
    yield* found.splice(0)
    standAt(posts + 1)
  }
  parser.end()
  yield* found.splice(0)
  if (!reader.isWhole())
    throw new AppError('invalid', 'This file is cut short or damaged. Export it from WordPress again.')
}

type Reading = { path: string[]; text: string; item: Item; channel: Item; metaKey: string; isWhole: boolean }

function startReader(found: (kind: Found['kind'], item: Item) => void) {
  const state: Reading = { path: [], text: '', item: newItem(), channel: newItem(), metaKey: '', isWhole: false }
  return {
    isWhole: () => state.isWhole,
    handler: {
      onopentag(name: string) {
        state.path.push(name)
        if (state.path.length > mostLevels)
          throw new AppError('invalid', 'This file is built in a way we can’t read. Export it from WordPress again.')
        state.text = ''
        if (name === 'item' || name === 'wp:author') state.item = newItem()
      },
      ontext(text: string) {
        if (state.text.length <= mostValue) state.text += text
      },
      // `isImplied`: the file ended before the element did.
      onclosetag(name: string, isImplied: boolean) {
        if (isImplied) return
        state.path.pop()
        if (name === 'rss') state.isWhole = true
        keepText(state, name)
        if (name === 'wp:base_site_url' || name === 'wp:base_blog_url') found('channel', state.channel)
        if (name === 'item') found('item', state.item)
        if (name === 'wp:author') found('author', state.item)
        state.text = ''
      },
    },
  }
}

function keepText(state: Reading, name: string): void {
  const { path, item, text } = state
  if (name === 'wp:meta_key') state.metaKey = text
  else if (name === 'wp:meta_value' && readMeta.has(state.metaKey)) item.meta.set(state.metaKey, text)
  const into = path.at(-1) === 'channel' ? state.channel : item
  if (read.has(name) && !into.texts.has(name)) into.texts.set(name, text)
}

async function readHead(pack: Pack, name: string, { site }: SiteOptions): Promise<Head> {
  const head: Head = { site, authors: new Map(), files: new Map(), slugs: new Map() }
  for await (const { kind, item } of partsOf(await pack.stream(name))) {
    const text = (key: string) => item.texts.get(key)?.trim() ?? ''
    if (kind === 'channel')
      head.site ??= text('wp:base_blog_url') || text('wp:base_site_url') || text('link') || undefined
    else if (kind === 'author') head.authors.set(text('wp:author_login'), text('wp:author_display_name'))
    else if (text('wp:post_type') === 'attachment')
      head.files.set(text('wp:post_id'), {
        address: text('wp:attachment_url'),
        alt: item.meta.get('_wp_attachment_image_alt') ?? '',
      })
    else if (text('wp:post_type') === 'post') {
      const path = pathOf(text('link'), head.site === undefined ? [] : [head.site])
      if (path !== null && path !== '/') head.slugs.set(path, ourSlug(text('wp:post_name'), text('title')))
    }
  }
  return head
}

export async function* readWordpress(pack: Pack, name: string, options: SiteOptions): AsyncGenerator<Read> {
  const head = await readHead(pack, name, options)
  for await (const { item, line } of partsOf(await pack.stream(name))) {
    if (line === null) continue
    standAt(line)
    const title = titleOf(item.texts.get('title'))
    const isDeleted = item.texts.get('wp:status') === 'trash'
    if ([...item.texts.values()].some(isLong)) yield { line, refused: `“${title}”: ${tooLong}` }
    else if (item.texts.get('wp:post_type') === 'page')
      yield { line, refused: `“${title}” is a page. Write it under Site.` }
    else if (isDeleted) yield { line, refused: `“${title}” is in WordPress’ bin.` }
    else yield { line, row: toPost(item, title, { pack, head }) }
  }
}

/** CDATA was cut, and other text is only kept until it's too long. */
const isLong = (text: string) => isCut(text) || text.length > mostValue

function toPost({ texts, meta }: Item, title: string, { pack, head }: { pack: Pack; head: Head }): ForeignPost {
  const text = (key: string) => texts.get(key)?.trim() ?? ''
  const origins = head.site === undefined ? [] : [head.site]
  const site = createOldSite(pack, { site: head.site }, head.slugs)
  const thumbnail = head.files.get(meta.get('_thumbnail_id') ?? '')
  const featured = thumbnail === undefined ? null : site.picture(thumbnail.address)
  const written = withoutShortcodes(texts.get('content:encoded') ?? '')
  const { html, lost } = convertHtml(written.html, site, { isTyped: !written.html.includes('<!-- wp:') })
  const isLocked = text('wp:post_password') !== ''
  const path = pathOf(text('link'), origins)
  return {
    kind: 'post',
    title,
    slug: ourSlug(text('wp:post_name'), title),
    content: contentOf(html),
    featured,
    excerpt: plainText(text('excerpt:encoded'), 500),
    author: head.authors.get(text('dc:creator'))?.slice(0, 100) ?? null,
    isPublished: !isLocked && (text('wp:status') === 'publish' || text('wp:status') === 'future'),
    publishedAt: instantOf(text('wp:post_date_gmt')) ?? instantOf(text('wp:post_date')),
    featuredImageAlt: plainText(thumbnail?.alt, 200),
    pictures: site.pictures,
    // A draft's link is `/?p=12`.
    redirects: 0,
    addresses: path === null || path === '/' ? [] : [path],
    lost: [...lost, ...written.lost, ...countLost(site.missing)],
    heldBack: isLocked ? 'It had a password, and anyone can read posts here. So it’s a draft.' : null,
  }
}
