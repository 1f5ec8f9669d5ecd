import { AppError } from '#api/errors.ts'
import { FileProblem, readMarkdown } from '#api/features/blog/markdown-rules.ts'
import { standAt } from '#api/file-place.ts'
import { mostValue, tooLong } from '../long-values-rules.ts'
import type { Pack } from '../pack-service.ts'
import { convertHtml } from './html-rules.ts'
import { countLost } from './lost-rules.ts'
import { createOldSite, type SiteOptions } from './old-site-rules.ts'
import { pathOf, type Read } from './post-rules.ts'

/** Each file is a post. */
export async function* readMarkdownFiles(
  pack: Pack,
  names: readonly string[],
  options: SiteOptions,
): AsyncGenerator<Read> {
  for (const [at, name] of names.toSorted().entries()) {
    standAt(at + 1)
    yield await readOne(pack, name, { line: at + 1, options })
  }
}

async function readOne(
  pack: Pack,
  name: string,
  { line, options }: { line: number; options: SiteOptions },
): Promise<Read> {
  try {
    const bytes = await pack.bytes(name, mostValue)
    if (bytes === null) return { line, refused: `${name}: ${tooLong}` }
    const { post, picture, address } = readMarkdown({ name, text: new TextDecoder().decode(bytes) })
    const site = createOldSite(pack, options, new Map())
    const { html, lost } = convertHtml(post.content, site)
    const featured = picture === null ? null : site.picture(picture)
    const path = address === null ? null : pathOf(address, options.site === undefined ? [] : [options.site])
    return {
      line,
      row: {
        ...{ kind: 'post', title: post.title, slug: post.slug, content: html, excerpt: post.excerpt },
        ...{ author: post.author, isPublished: post.isPublished, publishedAt: post.publishedAt },
        ...{ featuredImageAlt: null, featured, pictures: site.pictures },
        redirects: 0,
        addresses: path === null || path === '/' ? [] : [path],
        lost: [...lost, ...countLost(site.missing)],
        heldBack: null,
      },
    }
  } catch (error) {
    // An old site's address that's missing is missing for all of them.
    if (!(error instanceof FileProblem || (error instanceof AppError && error.code === 'too_large'))) throw error
    return { line, refused: `${name}: ${error.message}` }
  }
}
