import { Parser } from 'htmlparser2'
import { foldText } from '#shared/rules/fold-text.ts'
import { slugOf } from '#shared/values/posts.ts'
import { inline } from './elements-rules.ts'

/** A picture of the old site, or a file in the ZIP that was given. */
export type PictureSource = { address: string } | { name: string }

/** A post as another program's file has it. In `content`, `/~0` stands for the first of `pictures`. */
export type ForeignPost = {
  kind: 'post'
  title: string
  slug: string
  content: string
  excerpt: string | null
  author: string | null
  isPublished: boolean
  publishedAt: string | null
  featuredImageAlt: string | null
  /** Its place in `pictures`. */
  featured: number | null
  pictures: PictureSource[]
  /** The paths people and search engines know it by. */
  addresses: string[]
  /** How many of those were redirects. */
  redirects: number
  /** What we can't bring over, in words. */
  lost: string[]
  /** Why it becomes a draft though it was out. */
  heldBack: string | null
}

/** A redirect the old site had. Both are paths. */
export type ForeignAddress = { kind: 'address'; from: string; to: string }

export type ForeignRow = ForeignPost | ForeignAddress

/** `line` is its place among the file's posts, with the redirects after them. */
export type Read = { line: number; row: ForeignRow } | { line: number; refused: string }

/** A short, plain text from what may be HTML; null if there's nothing in it. */
export function plainText(html: string | null | undefined, most: number): string | null {
  const text = textOfHtml((html ?? '').slice(0, mostContent))
    .replace(/\s+/g, ' ')
    .trim()
  if (text === '') return null
  return text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`
}

/** Longer ones are refused by their posts' own rules, which need no more to see it. */
const [mostTitle, mostSlug, mostContent] = [300, 3_000, 250_000]

/** Programs write `Day &amp; <em>night</em>` and mean “Day & night”. */
export const titleOf = (given: string | null | undefined): string =>
  textOfHtml((given ?? '').slice(0, mostSlug))
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, mostTitle) || 'Untitled'

function textOfHtml(html: string): string {
  if (!/[<&]/.test(html)) return html
  const parts: string[] = []
  const parser = new Parser({
    ontext: (text) => parts.push(text),
    onopentagname: (name) => (inline.has(name) && name !== 'br') || parts.push(' '),
  })
  parser.end(html)
  return parts.join('')
}

export const contentOf = (html: string): string => html.slice(0, mostContent)

/** A post's slug here. WordPress writes other alphabets as percent signs. */
export function ourSlug(slug: string | null | undefined, title: string): string {
  const given = (slug ?? '').slice(0, mostSlug)
  return slugOf(foldText(decoded(given)).replace(/[._~/]+/g, '-')) || slugOf(foldText(title.slice(0, mostTitle)))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A time as other programs write it: ISO, `2024-05-06 18:01:32` in UTC, or milliseconds. Null if it's none. */
export function instantOf(given: string | number | null | undefined): string | null {
  if (given === null || given === undefined || given === '' || /^0000/.test(String(given))) return null
  const isPlain = typeof given === 'string' && /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?$/.test(given)
  const at = new Date(isPlain ? `${given.replace(' ', 'T')}Z` : given)
  return Number.isNaN(at.getTime()) ? null : at.toISOString()
}

const anyOrigin = 'https://old.invalid'

/** An address as the path people open, decoded and without a slash at its end. Null if it's on another site. */
export function pathOf(address: string, origins: readonly string[] = []): string | null {
  if (!URL.canParse(address, anyOrigin)) return null
  const { origin, pathname } = new URL(address, anyOrigin)
  if (origin !== anyOrigin && !origins.some((one) => sameSite(one, origin))) return null
  const path = decoded(pathname).replace(/\/+/g, '/')
  return path.length > 1 ? path.replace(/\/$/, '') : path
}

/** A site moves from http to https, and drops its `www.`, without becoming another one. */
export const sameSite = (one: string, other: string): boolean => hostOf(one) === hostOf(other)

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host.replace(/^www\./, '') : '')
