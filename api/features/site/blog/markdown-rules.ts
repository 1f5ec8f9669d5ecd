import * as v from 'valibot'
import { PostRequest } from '#shared/contract/admin-post.ts'
import { foldText } from '#shared/rules/fold-text.ts'
import { readTypedMoment } from '#shared/rules/london.ts'
import { slugOf } from '#shared/values/posts.ts'

/** What's wrong with a file, in words for the person who chose it. */
export class FileProblem extends Error {}

/** `picture` and `address` are as the file has them: its main picture, and where it was before. */
export type MarkdownPost = {
  post: PostRequest
  picture: string | null
  pictureAlt: string | null
  address: string | null
}

/** Files that are posts in Markdown, by their names. */
export const markdownName = /\.(?:md|mdx|markdown|mdown|mkd)$/i
/** Posts in HTML, with the same lines at their top. */
export const htmlName = /\.html?$/i

type Head = { mark: string; pattern: RegExp; read: (text: string) => unknown }

/** What stands at a post's top, as Jekyll, Hugo, Zola, Eleventy and their kind write it: in YAML, TOML or JSON. */
const heads: readonly Head[] = [
  { mark: '---', pattern: headBetween('---', '(?:ya?ml)?'), read: readYaml },
  { mark: '+++', pattern: headBetween('\\+\\+\\+', '(?:toml)?'), read: readToml },
  { mark: '---', pattern: headBetween('---', 'toml'), read: readToml },
  { mark: '---', pattern: headBetween('---', 'json'), read: JSON.parse },
  { mark: ';;;', pattern: headBetween(';;;', '(?:json)?'), read: JSON.parse },
  { mark: '{ and }', pattern: /^\s*(\{[ \t]*\r?\n[\s\S]*?\r?\n\})[ \t]*(?:\r?\n|$)/, read: JSON.parse },
]

function headBetween(mark: string, language: string): RegExp {
  return new RegExp(`^\\s*${mark}${language}[ \\t]*\\r?\\n([\\s\\S]*?)\\r?\\n${mark}[ \\t]*(?:\\r?\\n|$)`)
}

/** The heading must start with a non-blank, so that the regex can't match in two ways and backtrack. */
const firstHeading = /^\s*#[ \t]+([^ \t\r\n\u2028\u2029][^\r\n\u2028\u2029]*)(?:\r?\n|$)/

/** Markdown allows closing `#` marks after a heading. */
function withoutClosingMarks(line: string): string {
  let end = line.length
  while (end > 0 && ' \t#'.includes(line.charAt(end - 1))) end -= 1
  return line.slice(0, end)
}

/** A post with a date that isn't a draft is published. */
export function readMarkdown({ name, text }: { name: string; text: string }): MarkdownPost {
  const { facts, written } = partsOf(text.replace(/^\uFEFF/, ''))
  // If the title came from the first heading, don't repeat it in the text.
  const [heading = '', line] = firstHeading.exec(written) ?? []
  const ownTitle = line === undefined ? undefined : withoutClosingMarks(line)
  const title = facts.title ?? ownTitle
  if (!title) throw new FileProblem('It has no title. Write “title: …” between two lines of --- at its top.')
  const body =
    ownTitle !== undefined && (facts.title ?? ownTitle) === ownTitle ? written.slice(heading.length) : written
  const html = htmlName.test(name) ? body : Bun.markdown.html(body)
  const dated = dateOf(facts.date ?? /(?:^|\/)(\d{4}-\d\d-\d\d)-/.exec(name)?.[1])
  const isPublished = !facts.isDraft && dated !== null
  const read = v.safeParse(PostRequest, {
    title,
    content: html,
    excerpt: facts.excerpt ?? '',
    author: facts.author ?? '',
    slug: ownSlug(facts.slug) || slugOfFile(name, title),
    isPublished,
    publishedAt: dated,
  })
  if (read.issues?.some(({ message }) => message === 'Slug is required'))
    throw new FileProblem(
      'We can’t make a web address from its letters. At its top, write “slug: …” with letters from a to z.',
    )
  if (!read.success) throw new FileProblem([...new Set(read.issues.map(({ message }) => message))].join(' '))
  const { picture = null, pictureAlt = null, address = null } = facts
  return { post: read.output, picture, pictureAlt, address }
}

/** With the letters that addresses here have. Empty if none of its letters is like one of them. */
const ownSlug = (given = ''): string => (slugOf(foldText(given)) === '' ? '' : foldText(given))

/** The file name without folders, leading date and extension. A folder of one post, with its `index.md` and pictures, gives its own. */
export const slugOfFile = (name: string, title: string): string =>
  [
    name
      .replace(markdownName, '')
      .replace(htmlName, '')
      .replace(/\/index$/i, '')
      .replace(/^.*\//, '')
      .replace(/^\d{4}-\d\d-\d\d-/, '')
      .replace(/^(index|readme)$/i, ''),
    title,
  ]
    .map((text) => slugOf(foldText(text)))
    .find(Boolean) ?? ''

const Text = v.pipe(
  v.union([v.string(), v.number(), v.boolean(), v.null()]),
  v.transform((value) => (value === null ? '' : String(value).trim())),
)
const Facts = v.record(v.string(), v.unknown())

/** Its head's facts, and what's below. */
function partsOf(text: string) {
  for (const { mark, pattern, read } of heads) {
    const [whole, head] = pattern.exec(text) ?? []
    if (whole !== undefined)
      return { facts: readFacts(readHead(mark, () => read(head ?? ''))), written: text.slice(whole.length) }
  }
  return { facts: readFacts({}), written: text }
}

function readHead(mark: string, read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    if (error instanceof FileProblem) throw error
    // The stack’s end.
    if (error instanceof RangeError)
      throw new FileProblem(`The lines between ${mark} at its top are nested too deeply.`)
    const reason = error instanceof Error ? error.message : ''
    throw new FileProblem(`We can’t read the lines between ${mark} at its top. ${reason}`.trim())
  }
}

function readYaml(text: string): unknown {
  if (repeatsItself(text))
    throw new FileProblem('We can’t read &names and *names between --- at its top. Write each thing out there.')
  return Bun.YAML.parse(text)
}

/** It has days and times of its own, and others have text. */
function readToml(text: string): unknown {
  return Object.fromEntries(
    Object.entries(Bun.TOML.parse(text)).map(([name, value]) => [
      name,
      /^\d{4}-/.test(String(value)) ? String(value) : value,
    ]),
  )
}

/** The few facts a post can hold, under the names other programs use. */
function readFacts(head: unknown) {
  const facts = v.safeParse(Facts, head ?? {})
  if (!facts.success) throw new FileProblem('The lines between --- at its top must be written as “title: …”.')
  const named = new Map(Object.entries(facts.output).map(([name, value]) => [name.toLowerCase(), value]))
  const text = (...names: string[]): string | undefined => {
    for (const name of names) {
      if (!named.has(name)) continue
      const read = v.safeParse(Text, named.get(name))
      if (!read.success) throw new FileProblem(`“${name}” must be one line of text.`)
      if (read.output !== '') return read.output
    }
  }
  const main = pictureIn(pictureNames.flatMap((name) => named.get(name) ?? []))
  return {
    title: text('title'),
    slug: text('slug'),
    author: authorsIn(named.get('author') ?? named.get('authors')),
    excerpt: text('excerpt', 'description', 'summary'),
    date: text('date', 'published_at', 'pubdate'),
    ...main,
    address: text('permalink', 'url'),
    isDraft: text('draft') === 'true' || text('published') === 'false',
  }
}

const pictureNames = [
  ...['image', 'cover', 'cover_image', 'coverimage', 'feature_image', 'featured_image', 'featuredimage'],
  ...['featured-image', 'hero_image', 'header_image', 'thumbnail'],
]

/** A main picture: its address, or fields of its own, as in `cover: { image, alt }`. */
function pictureIn(given: readonly unknown[]): { picture?: string; pictureAlt?: string } {
  for (const one of given) {
    const fields = v.safeParse(Facts, one)
    if (!fields.success) {
      const read = v.safeParse(Text, one)
      if (read.success && read.output !== '') return { picture: read.output }
      continue
    }
    const { image, path, src, url, file, feature, teaser, alt } = fields.output
    const found = [image, path, src, url, file, feature, teaser].find(
      (value) => typeof value === 'string' && value !== '',
    )
    if (typeof found === 'string') return { picture: found, ...(typeof alt === 'string' ? { pictureAlt: alt } : {}) }
  }
  return {}
}

/** A name, a list of them, or fields with a name. */
function authorsIn(given: unknown): string | undefined {
  const names = [given].flat().flatMap((one) => {
    const fields = v.safeParse(Facts, one)
    const read = v.safeParse(Text, fields.success ? fields.output.name : one)
    return read.success && read.output !== '' ? [read.output] : []
  })
  return names.length === 0 ? undefined : new Intl.ListFormat('en-GB').format(names).slice(0, 100)
}

/** Whether YAML may use an anchor (`&name`) with an alias (`*name`), which can expand hugely. Compares only a name's start. */
function repeatsItself(yaml: string): boolean {
  const named = new Set([...yaml.matchAll(/&([\p{L}\p{N}]+|[^ \t\r\n])/gu)].map(([, name]) => name))
  return named.size > 0 && [...yaml.matchAll(/\*([\p{L}\p{N}]+|[^ \t\r\n])/gu)].some(([, name]) => named.has(name))
}

/** A date without a time means nine o'clock in London. */
function dateOf(text: string | undefined): string | null {
  if (text === undefined) return null
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text)
  const typed = readTypedMoment(isDay ? `${text} 09:00` : text)
  const at = new Date(typed ?? (isDay ? '' : text))
  if (Number.isNaN(at.getTime())) throw new FileProblem(`“${text}” isn’t a date. Write it as 2026-01-31.`)
  return at.toISOString()
}
