import sanitize from 'sanitize-html'

type Attributes = Record<string, string>

const elements: Record<string, (given: Attributes) => Attributes> = {
  ...withoutAttributes('h2 h3 h4 p ul li blockquote figure figcaption pre code strong em b i hr br'),
  ...withoutAttributes('table caption thead tbody tfoot tr'),
  ol: ({ start }) => wholeNumbers({ start }),
  td: cellAttributes,
  th: ({ scope, ...rest }) => ({
    ...cellAttributes(rest),
    ...(scope === 'row' || scope === 'col' ? { scope } : {}),
  }),
  a: ({ href }) => {
    const address = ownPath(href) ?? outsideAddress(href, ['http:', 'https:', 'mailto:'])
    if (address === undefined) return {}
    return { href: address, ...(/^https?:/.test(address) ? { rel: 'noopener nofollow' } : {}) }
  },
  img: ({ src, alt, width, height }) => {
    // A picture on another site would reveal every reader to that site, without their consent.
    const address = ownPath(src)
    if (address === undefined) return {}
    return { src: address, alt: alt ?? '', ...wholeNumbers({ width, height }), loading: 'lazy' }
  },
}

/** The page has its own h1, so pasted headings move to the nearest rank a post may use. */
const renamed = new Map([
  ['h1', 'h2'],
  ['h5', 'h4'],
  ['h6', 'h4'],
])

/** Elements that are removed with their content, because it is not text or browsers do not read it as text. */
const withContent =
  'script style template noscript noembed noframes iframe object embed applet svg math title textarea xmp plaintext select option audio video canvas'

const options: sanitize.IOptions = {
  allowedTags: Object.keys(elements),
  allowedAttributes: {
    a: ['href', 'rel'],
    img: ['src', 'alt', 'width', 'height', 'loading'],
    ol: ['start'],
    td: ['colspan', 'rowspan', 'class'],
    th: ['colspan', 'rowspan', 'class', 'scope'],
  },
  // We check the addresses again below.
  allowedSchemes: ['http', 'https', 'mailto'],
  allowedSchemesByTag: { img: [] },
  allowProtocolRelative: false,
  nonTextTags: withContent.split(' '),
  nestingLimit: 100,
  transformTags: { '*': transformTag },
}

/** Returns HTML that runs nothing and loads or links to nothing forbidden. `origins` are this site's own, for absolute URLs. */
export function cleanHtml(html: string, origins: readonly string[] = []): string {
  const exclusiveFilter = hasNoAllowedAddress([placeholderOrigin, ...origins])
  const clean = (text: string) =>
    sanitize(hideLoneBrackets(text), { ...options, ...countLevels(), exclusiveFilter })
      .replaceAll(hiddenBracket, '&lt;')
      .trim()
  const text = withoutControls(html)
  try {
    return clean(text)
  } catch (error) {
    if (error !== tooMuch) throw error
    // Its words stay.
    return clean(text.replace(/<[^<>]*>/g, ' '))
  }
}

/** The parser takes longer with each element, and with each level. No person writes as many: a table of 20,000 cells fills a post. */
const [mostElements, mostLevels] = [20_000, 500]
const tooMuch = new Error('Too many elements, or nested too deeply.')

function countLevels(): Pick<sanitize.IOptions, 'onOpenTag' | 'onCloseTag'> {
  let [elements, levels] = [0, 0]
  return {
    onOpenTag() {
      elements += 1
      levels += 1
      if (elements > mostElements || levels > mostLevels) throw tooMuch
    },
    onCloseTag() {
      levels -= 1
    },
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: taking them out is the point
const withoutControls = (html: string) => html.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, '')

/** Stands for a `<` while the parser is at work. It's a control character, so no text has it by then. */
const hiddenBracket = '\u0001'

/** A `<` that starts no element is text to browsers too, but thousands of them would keep the parser busy for seconds. */
const hideLoneBrackets = (html: string) => html.replace(/<(?![a-z/!?])/gi, hiddenBracket)

function withBrackets(given: Attributes): Attributes {
  for (const name in given) given[name] = given[name]?.replaceAll(hiddenBracket, '<') ?? ''
  return given
}

function transformTag(name: string, given: Attributes): sanitize.Tag {
  const tagName = renamed.get(name) ?? name
  const attribs = Object.hasOwn(elements, tagName) ? elements[tagName]?.(withBrackets(given)) : undefined
  return { tagName, attribs: attribs ?? {} }
}

/** Removes a picture without an allowed address, and a link, whose text stays. */
const hasNoAllowedAddress =
  (origins: readonly string[]) =>
  ({ tag, attribs }: sanitize.IFrame): boolean | 'excludeTag' => {
    if (tag !== 'a' && tag !== 'img') return false
    const address = tag === 'a' ? attribs.href : attribs.src
    if (address !== undefined && !isApiAddress(address, origins)) return false
    return tag === 'img' || 'excludeTag'
  }

/** A URL of this site's API. Opening one can have an effect, such as logging the reader out. */
function isApiAddress(address: string, origins: readonly string[]): boolean {
  const { origin, pathname } = new URL(address, placeholderOrigin)
  return origins.includes(origin) && /^\/(api|sandbox)(\/|$)/i.test(pathname.replaceAll(/%[0-9a-f]{2}/gi, decodeByte))
}

const decodeByte = (byte: string) => String.fromCharCode(Number.parseInt(byte.slice(1), 16))

function withoutAttributes(names: string): Record<string, () => Attributes> {
  return Object.fromEntries(names.split(' ').map((name) => [name, () => ({})]))
}

/** Markdown's `---:` puts figures on the right, with an attribute that HTML no longer has. */
function cellAttributes({ colspan, rowspan, align, class: named }: Attributes): Attributes {
  const isAtEnd = align === 'right' || named === 'end'
  return { ...wholeNumbers({ colspan, rowspan }), ...(isAtEnd ? { class: 'end' } : {}) }
}

function wholeNumbers(given: Record<string, string | undefined>): Attributes {
  const numbers: Attributes = {}
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined && /^\d{1,4}$/.test(value)) numbers[name] = value
  }
  return numbers
}

const placeholderOrigin = 'https://own.invalid'

/** A path on this site, resolved as a browser would. `/\host` and `/.//host` are other sites. */
function ownPath(address = ''): string | undefined {
  const text = address.trim()
  const url = text.startsWith('/') ? URL.parse(text, placeholderOrigin) : null
  if (url === null) return undefined
  const { origin, pathname, search, hash } = url
  return origin === placeholderOrigin && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : undefined
}

/** An absolute URL, resolved as a browser would. */
function outsideAddress(address = '', protocols: readonly string[] = []): string | undefined {
  const url = URL.parse(address)
  return url !== null && protocols.includes(url.protocol) ? url.href : undefined
}
