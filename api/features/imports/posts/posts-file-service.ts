import { AppError } from '#api/errors.ts'
import { htmlName, markdownName } from '#api/features/site/blog/markdown-rules.ts'
import type { ReadFile } from '../kind-rules.ts'
import { openPack, type Pack } from '../pack-service.ts'
import { readGhost } from './ghost-service.ts'
import { otherMarkup, readMarkdownFiles } from './markdown-service.ts'
import type { SiteOptions } from './old-site-rules.ts'
import type { ForeignPost, ForeignRow, Read } from './post-rules.ts'
import { isRedirects, type Redirect, readRedirects } from './redirect-rules.ts'
import { readWordpress } from './wordpress-service.ts'

export type PostsOptions = SiteOptions & { fileName: string }

/** Every post and redirect in the file, in the process that reads it. */
export async function openPosts(file: string, options: PostsOptions): Promise<ReadFile<ForeignRow>> {
  const pack = await openPack(file, options.fileName)
  assertPosts(pack, options.fileName)
  const { source, rows } = await formatOf(pack, options)
  return { source, columns: [], problem: null, rows: readAll(pack, rows, options) }
}

/** The posts with their own redirects, then the other redirects. */
async function* readAll(pack: Pack, posts: AsyncGenerator<Read>, options: SiteOptions): AsyncGenerator<Read> {
  let line = 0
  const redirects = await redirectsIn(pack, options)
  for await (const read of posts) {
    if ('row' in read && read.row.kind === 'post') redirects.giveTo(read.row)
    yield read
    line = read.line
  }
  for (const rest of redirects.rest()) {
    line += 1
    yield { line, ...rest }
  }
}

async function redirectsIn(pack: Pack, options: SiteOptions) {
  const all: Redirect[] = []
  for (const name of pack.names.filter(isRedirects)) {
    const text = new TextDecoder().decode((await pack.bytes(name, mostText)) ?? undefined)
    all.push(...readRedirects(text, name, options))
  }
  const byTarget = Map.groupBy(all, (one) => ('row' in one ? one.row.to : null))
  const given = new Set<Redirect>()
  return {
    giveTo(post: ForeignPost) {
      // One may lead to another, so what's added is looked up too.
      for (const address of post.addresses)
        for (const one of byTarget.get(address) ?? []) {
          if (!('row' in one) || given.has(one)) continue
          post.addresses.push(one.row.from)
          post.redirects += 1
          given.add(one)
        }
    },
    rest: () => all.filter((one) => !given.has(one)),
  }
}

/** What an owner takes for posts by mistake. A table would become a post of everyone's names. */
function assertPosts({ names, isZip }: Pack, fileName: string): void {
  const isTable = isZip ? names.includes('[Content_Types].xml') : /\.(csv|tsv|txt|xls)$/i.test(fileName)
  if (isTable) throw new AppError('invalid', 'This is a table, not posts. Move it in as members or videos.')
  if (names.includes('manifest.json') && names.includes('json/posts.json'))
    throw new AppError(
      'invalid',
      'This is everything from a site like this one. Whoever hosts your site can take it all in.',
    )
}

const mostText = 5_000_000

type Format = { source: string; rows: AsyncGenerator<Read> }

async function formatOf(pack: Pack, options: PostsOptions): Promise<Format> {
  const others = pack.names.filter((name) => !isRedirects(name))
  // Some Markdown begins with a brace.
  const isExport = (name: string) => (pack.isZip ? /\.(json|xml)$/i.test(name) : !markdownName.test(options.fileName))
  for (const name of others.filter(isExport)) {
    const start = await startOf(pack, name)
    if (start.startsWith('{')) return { source: 'ghost', rows: readGhost(pack, name, options) }
    if (start.startsWith('<')) return { source: 'wordpress', rows: readWordpress(pack, name, options) }
  }
  const files = others.filter((name) => !pack.isZip || markdownName.test(name) || isBlogFile(name))
  if (files.length > 0) return { source: 'markdown', rows: readMarkdownFiles(pack, files, options) }
  throw new AppError(
    'invalid',
    'There are no posts in this file. Use an export from Ghost or WordPress, or Markdown files.',
  )
}

/** Where Jekyll and Hugo keep posts, in other markup too. What stands elsewhere are templates and pages. */
const isBlogFile = (name: string) =>
  (htmlName.test(name) || otherMarkup.test(name)) &&
  /(?:^|\/)(?:_posts|_drafts|content)\/|(?:^|\/)\d{4}-\d\d-\d\d-[^/]*$/.test(name)

/** Its first characters, without a byte order mark. */
async function startOf(pack: Pack, name: string): Promise<string> {
  for await (const chunk of await pack.stream(name))
    return new TextDecoder().decode(chunk.subarray(0, 1000)).trimStart()
  return ''
}
