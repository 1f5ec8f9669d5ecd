import { AppError } from '#api/errors.ts'
import { FileProblem, readMarkdown } from '#api/features/site/blog/markdown-rules.ts'
import { standAt } from '#api/file-position.ts'
import { decodeText } from '#shared/rules/encoding.ts'
import { mostValue, tooLong } from '../long-values-rules.ts'
import type { Pack } from '../pack-service.ts'
import { convertHtml } from './html-rules.ts'
import { countLost } from './lost-rules.ts'
import { withoutModules } from './modules-rules.ts'
import { createOldSite, type SiteOptions } from './old-site-rules.ts'
import { pathOf, plainText, type Read, titleOf } from './post-rules.ts'
import { type OtherPosts, postsByFile, withoutTemplates } from './templates-rules.ts'

/** Each file is a post. */
export async function* readMarkdownFiles(
  pack: Pack,
  names: readonly string[],
  options: SiteOptions,
): AsyncGenerator<Read> {
  const sorted = names.toSorted()
  const slugs = await slugsOf(pack, sorted)
  const posts = postsByFile(slugs)
  for (const [at, name] of sorted.entries()) {
    standAt(at + 1)
    const given = { line: at + 1, options, posts, slug: slugs.get(name) }
    yield await readOne(pack, name, given)
  }
}

/**
 * Each file's slug. Old sites told posts of one name apart by their dates, so the later ones get a number. The same file twice stays
 * the same post.
 */
async function slugsOf(pack: Pack, names: readonly string[]): Promise<Map<string, string>> {
  const [slugs, taken] = [new Map<string, string>(), new Map<string, string>()]
  for (const [at, name] of names.entries()) {
    standAt(at + 1)
    const own = otherMarkup.test(name) ? null : await ownSlug(pack, name)
    if (own === null) continue
    let slug = own.slug
    for (let number = 2; taken.has(slug) && taken.get(slug) !== own.hash; number += 1) slug = `${own.slug}-${number}`
    taken.set(slug, own.hash)
    slugs.set(name, slug)
  }
  return slugs
}

async function ownSlug(pack: Pack, name: string): Promise<{ slug: string; hash: string } | null> {
  try {
    const text = await textIn(pack, name)
    if (text === null) return null
    const { post } = readMarkdown({ name, text: plainMarkdown(name, text, () => undefined).text })
    return { slug: post.slug, hash: new Bun.CryptoHasher('sha256').update(text).digest('hex') }
  } catch (error) {
    if (isOfFile(error)) return null
    throw error
  }
}

/** A fault of one file alone. An old site's address that's missing is missing for all of them. */
const isOfFile = (error: unknown): error is Error =>
  error instanceof FileProblem || (error instanceof AppError && error.code === 'too_large')

async function textIn(pack: Pack, name: string): Promise<string | null> {
  const bytes = await pack.bytes(name, mostValue)
  return bytes === null ? null : decodeText(bytes)
}

/** Without what only its old program understands, which `lost` counts. */
function plainMarkdown(name: string, text: string, posts: OtherPosts) {
  const modules = /\.mdx$/i.test(name) ? withoutModules(text) : { text, lost: [] }
  const templates = withoutTemplates(modules.text, posts)
  return { text: templates.text, lost: [...modules.lost, ...templates.lost] }
}

/** Text with marks that aren't Markdown's. */
export const otherMarkup = /\.(textile|rst|adoc|asciidoc|org)$/i

/** How Hugo names the page that lists a folder's posts. */
const isSection = (name: string) => /(?:^|\/)_index\.[^/]+$/i.test(name)

type Given = { line: number; options: SiteOptions; posts: OtherPosts; slug: string | undefined }

async function readOne(pack: Pack, name: string, { line, options, posts, slug }: Given): Promise<Read> {
  const [, markup] = otherMarkup.exec(name) ?? []
  if (markup !== undefined)
    return { line, refused: `${name}: We can’t read .${markup} files. Save it as Markdown or HTML.` }
  if (isSection(name)) return { line, refused: `${name} is a section’s page, not a post. Write it under Site.` }
  try {
    const given = await textIn(pack, name)
    if (given === null) return { line, refused: `${name}: ${tooLong}` }
    const { text, lost: marks } = plainMarkdown(name, given, posts)
    const { post, picture, pictureAlt, address } = readMarkdown({ name, text })
    const site = createOldSite(pack, options, new Map())
    const { html, lost } = convertHtml(post.content, site)
    const featured = picture === null ? null : site.picture(picture)
    const path = address === null ? null : pathOf(address, options.site === undefined ? [] : [options.site])
    return {
      line,
      row: {
        kind: 'post',
        title: titleOf(post.title),
        slug: slug ?? post.slug,
        content: html,
        excerpt: post.excerpt,
        author: post.author,
        isPublished: post.isPublished,
        publishedAt: post.publishedAt,
        featuredImageAlt: plainText(pictureAlt, 200),
        featured,
        pictures: site.pictures,
        redirects: 0,
        addresses: path === null || path === '/' ? [] : [path],
        lost: [...lost, ...marks.map(([mark, times]) => `${times} × ${mark}`), ...countLost(site.missing)],
        heldBack: null,
      },
    }
  } catch (error) {
    if (!isOfFile(error)) throw error
    return { line, refused: `${name}: ${error.message}` }
  }
}
