import { autop } from '@wordpress/autop'
import { AppError } from '#api/errors.ts'
import type { Pack } from '../pack-service.ts'
import { convertHtml } from './html-rules.ts'
import { countLost } from './lost-rules.ts'
import { createOldSite, type SiteOptions } from './old-site-rules.ts'
import { type ForeignPost, instantOf, ourSlug, pathOf, plainText, type Read } from './post-rules.ts'

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

type Found = { kind: 'channel' | 'author' | 'item'; item: Item }

const newItem = (): Item => ({ texts: new Map(), meta: new Map() })

/** The channel's own texts, its authors and its items, one at a time. */
async function* partsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Found> {
  const { Parser } = await import('htmlparser2')
  const found: Found[] = []
  const reader = startReader((kind, item) => void found.push({ kind, item }))
  const parser = new Parser(reader.handler, { xmlMode: true, decodeEntities: true })
  const decoder = new TextDecoder()
  for await (const chunk of chunks) {
    parser.write(decoder.decode(chunk, { stream: true }))
    yield* found.splice(0)
  }
  parser.end(decoder.decode())
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
        state.text = ''
        if (name === 'item' || name === 'wp:author') state.item = newItem()
      },
      ontext(text: string) {
        state.text += text
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
  else if (name === 'wp:meta_value') item.meta.set(state.metaKey, text)
  const into = path.at(-1) === 'channel' ? state.channel : item
  if (!into.texts.has(name)) into.texts.set(name, text)
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
        ...{ address: text('wp:attachment_url'), alt: item.meta.get('_wp_attachment_image_alt') ?? '' },
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
  let line = 0
  for await (const { kind, item } of partsOf(await pack.stream(name))) {
    if (kind !== 'item') continue
    const type = item.texts.get('wp:post_type')
    if (type !== 'post' && type !== 'page') continue
    line += 1
    const title = item.texts.get('title')?.trim() || 'Untitled'
    const isDeleted = item.texts.get('wp:status') === 'trash'
    if (type === 'page') yield { line, refused: `“${title}” is a page. Write it under Site.` }
    else if (isDeleted) yield { line, refused: `“${title}” is in WordPress’ bin.` }
    else yield { line, row: toPost(item, title, { pack, head }) }
  }
}

function toPost({ texts, meta }: Item, title: string, { pack, head }: { pack: Pack; head: Head }): ForeignPost {
  const text = (key: string) => texts.get(key)?.trim() ?? ''
  const origins = head.site === undefined ? [] : [head.site]
  const site = createOldSite(pack, { site: head.site }, head.slugs)
  const thumbnail = head.files.get(meta.get('_thumbnail_id') ?? '')
  const featured = thumbnail === undefined ? null : site.picture(thumbnail.address)
  const written = withoutShortcodes(texts.get('content:encoded') ?? '')
  const { html, lost } = convertHtml(written.html, site)
  const isLocked = text('wp:post_password') !== ''
  const path = pathOf(text('link'), origins)
  return {
    ...{ kind: 'post', title, slug: ourSlug(text('wp:post_name'), title), content: html, featured },
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

/** Plug-ins' marks that stand for something only WordPress can make. */
const shortcode =
  /\[\/?(gallery|playlist|audio|video|contact-form(?:-7)?|wpforms|gravityforms?|ninja_forms?|elementor-template|su_\w+|vc_\w+|et_pb_\w+|fusion_\w+)(?:\s[^\]]*)?\]/g

const caption = /\[caption[^\]]*\]\s*((?:<a\b[^>]*>\s*)?<img\b[^>]*>(?:\s*<\/a>)?)([\s\S]*?)\[\/caption\]/g

/** Older posts have blank lines where newer ones have paragraphs. */
function withoutShortcodes(given: string): { html: string; lost: string[] } {
  const lost = new Map<string, number>()
  const text = given
    .replace(caption, '<figure>$1<figcaption>$2</figcaption></figure>')
    .replace(/\[embed[^\]]*\]\s*(https?:\/\/[^\s[\]<>"]+)\s*\[\/embed\]/g, '\n\n$1\n\n')
    .replace(shortcode, (mark: string, name: string) => {
      // The parts of a page builder are boxes around text that stays.
      if (!mark.startsWith('[/') && !/^(su|vc|et_pb|fusion)_/.test(name)) lost.set(name, (lost.get(name) ?? 0) + 1)
      return ''
    })
  const html = /<!-- wp:/.test(text) ? text : autop(text)
  return { html, lost: [...lost].map(([name, count]) => `${count} × [${name}]`) }
}
