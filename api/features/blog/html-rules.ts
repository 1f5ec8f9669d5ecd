import { createRequire } from 'node:module'
import type sanitize from 'sanitize-html'

type Attributes = Record<string, string>

/** Every element that a post may hold, with what is kept of its attributes. */
const elements: Record<string, (given: Attributes) => Attributes> = {
  ...bare('h2 h3 h4 p ul li blockquote figure figcaption pre code strong em b i hr br'),
  ...bare('table caption thead tbody tfoot tr'),
  ol: ({ start }) => whole({ start }),
  td: ({ colspan, rowspan }) => whole({ colspan, rowspan }),
  th: ({ colspan, rowspan, scope }) => ({
    ...whole({ colspan, rowspan }),
    ...(scope === 'row' || scope === 'col' ? { scope } : {}),
  }),
  a: ({ href }) => {
    const address = ownPath(href) ?? outside(href, ['http:', 'https:', 'mailto:'])
    if (address === undefined) return {}
    return { href: address, ...(/^https?:/.test(address) ? { rel: 'noopener nofollow' } : {}) }
  },
  img: ({ src, alt, width, height }) => {
    // One of another site would tell it of every reader, agreed or not.
    const address = ownPath(src)
    if (address === undefined) return {}
    return { src: address, alt: alt ?? '', ...whole({ width, height }), loading: 'lazy' }
  },
}

/** The page has its own first heading; what is pasted with others keeps its rank as well as it can. */
const renamed = new Map([
  ['h1', 'h2'],
  ['h5', 'h4'],
  ['h6', 'h4'],
])

/** Their content is no text, or is not read as it stands: it goes with them. */
const withContent =
  'script style template noscript noembed noframes iframe object embed applet svg math title textarea xmp plaintext select option audio video canvas'

const options: sanitize.IOptions = {
  allowedTags: Object.keys(elements),
  allowedAttributes: {
    a: ['href', 'rel'],
    img: ['src', 'alt', 'width', 'height', 'loading'],
    ol: ['start'],
    td: ['colspan', 'rowspan'],
    th: ['colspan', 'rowspan', 'scope'],
  },
  // The addresses are checked below; these say the same again.
  allowedSchemes: ['http', 'https', 'mailto'],
  allowedSchemesByTag: { img: [] },
  allowProtocolRelative: false,
  nonTextTags: withContent.split(' '),
  nestingLimit: 100,
  transformTags: { '*': transform },
}

/** 25 ms to load, so nobody's start waits for it. */
const sanitizer = (): typeof sanitize => createRequire(import.meta.url)('sanitize-html')

/**
 * HTML of which nothing can run, or load or lead to what the list does not allow. `origins` are this site's own, spelled
 * out in full.
 */
export function cleanHtml(html: string, origins: readonly string[] = []): string {
  const exclusiveFilter = leadsNowhere([here, ...origins])
  return sanitizer()(withoutLoneSigns(withoutControls(html)), { ...options, exclusiveFilter }).trim()
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: taking them out is the point
const withoutControls = (html: string) => html.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, '')

/** A `<` that begins nothing is text to a browser too; thousands of them would keep the parser for seconds. */
const withoutLoneSigns = (html: string) => html.replace(/<(?![a-z/!?])/gi, '&lt;')

function transform(name: string, given: Attributes): sanitize.Tag {
  const tagName = renamed.get(name) ?? name
  const attribs = Object.hasOwn(elements, tagName) ? elements[tagName]?.(given) : undefined
  return { tagName, attribs: attribs ?? {} }
}

/** A picture without a good address goes; of a link its words stay. */
const leadsNowhere =
  (origins: readonly string[]) =>
  ({ tag, attribs }: sanitize.IFrame): boolean | 'excludeTag' => {
    if (tag !== 'a' && tag !== 'img') return false
    const address = tag === 'a' ? attribs.href : attribs.src
    if (address !== undefined && !isCall(address, origins)) return false
    return tag === 'img' || 'excludeTag'
  }

/** One of this site's calls: opening it does something, such as log the reader out. */
function isCall(address: string, origins: readonly string[]): boolean {
  const { origin, pathname } = new URL(address, here)
  return origins.includes(origin) && /^\/(api|sandbox)(\/|$)/i.test(pathname.replaceAll(/%[0-9a-f]{2}/gi, decoded))
}

const decoded = (byte: string) => String.fromCharCode(Number.parseInt(byte.slice(1), 16))

function bare(names: string): Record<string, () => Attributes> {
  return Object.fromEntries(names.split(' ').map((name) => [name, () => ({})]))
}

/** Those that are whole numbers. */
function whole(given: Record<string, string | undefined>): Attributes {
  const numbers: Attributes = {}
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined && /^\d{1,4}$/.test(value)) numbers[name] = value
  }
  return numbers
}

const here = 'https://own.invalid'

/** A path of this site as a browser reads it; `/\host` and `/.//host` lead elsewhere. */
function ownPath(address = ''): string | undefined {
  const text = address.trim()
  if (!text.startsWith('/') || !URL.canParse(text, here)) return undefined
  const { origin, pathname, search, hash } = new URL(text, here)
  return origin === here && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : undefined
}

/** A whole address, spelled as a browser understands it. */
function outside(address = '', protocols: readonly string[] = []): string | undefined {
  if (!URL.canParse(address)) return undefined
  const { protocol, href } = new URL(address)
  return protocols.includes(protocol) ? href : undefined
}
