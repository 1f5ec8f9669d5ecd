import { Parser } from 'htmlparser2'
import { blocks, boxes, cards, holdsText, inline, removed, renamed, withoutEnd } from './elements-rules.ts'
import { countLost } from './lost-rules.ts'

/** How addresses of the old site are read. */
export type OldSite = {
  /** Where a picture comes from; null if we can't get it. */
  picture(address: string): number | null
  /** A link's address here. */
  link(address: string): string
}

type Attributes = Record<string, string>

export type Converted = { html: string; lost: string[] }

type Card = { name: string; depth: number; address: string; title: string; isInTitle: number }

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const quoted = (text: string) => escaped(text).replaceAll('"', '&quot;')

/**
 * Another program's HTML as paragraphs, headings, lists, tables, links and pictures. Embeds and players become links. It isn't clean
 * yet: that's done where posts are stored. If it `isTyped`, a line's end breaks the line, and a blank line the paragraph.
 */
export function convertHtml(html: string, site: OldSite, { isTyped = false } = {}): Converted {
  const whole = convert(html, site, isTyped)
  if (whole !== null) return whole
  const flat = convert(html.replace(boxTag, '<p>').replace(lookTag, ''), site, isTyped)
  if (flat !== null) return { html: flat.html, lost: [...flat.lost, 'boxes nested too deeply'] }
  return { html: '', lost: ['all of its text, which is nested too deeply'] }
}

/** Null if it's nested too deeply. */
function convert(html: string, site: OldSite, isTyped: boolean): Converted | null {
  const writer = startWriter(site, isTyped)
  const parser = new Parser(writer, { decodeEntities: true, recognizeSelfClosing: true })
  try {
    parser.end(html)
  } catch (error) {
    if (error !== tooDeep) throw error
    return null
  }
  return writer.end()
}

/** What page builders put around words by the hundred. */
const boxTag = /<\/?(?:div|section|article|main|center|blockquote)\b[^<>]*>/gi
const lookTag = /<\/?(?:span|font|b|i|u|em|strong)\b[^<>]*>/gi

/** The parser takes longer with each level, and no person writes as many. */
const mostLevels = 500
const tooDeep = new Error('Nested too deeply.')

type State = {
  out: string[]
  lost: Map<string, number>
  /** Open elements, by the name we write; null where we write none. */
  open: { written: string | null }[]
  /** How many open elements hold text, and how many are figures or preformatted. */
  textDepth: number
  figureDepth: number
  preDepth: number
  /** Within an element that's removed. */
  skipping: number
  card: Card | null
  /** A paragraph we opened around text that had none. */
  isInOwnParagraph: boolean
  isTyped: boolean
  /** Whether something stands on this line, and how many line ends follow it. */
  isLineBegun: boolean
  lineEnds: number
}

function startWriter(site: OldSite, isTyped: boolean) {
  const depths = { textDepth: 0, figureDepth: 0, preDepth: 0, skipping: 0 }
  const line = { isTyped, isLineBegun: false, lineEnds: 0 }
  const state: State = { out: [], lost: new Map(), open: [], ...depths, card: null, isInOwnParagraph: false, ...line }
  return {
    onopentag: (name: string, attributes: Attributes) => openElement(state, site, { name, attributes }),
    ontext: (text: string) => writeText(state, text),
    onclosetag: (name: string) => closeElement(state, site, name),
    end(): Converted {
      endOwnParagraph(state)
      const html = state.out.join('')
      return { html: tidied(html), lost: countLost(state.lost) }
    },
  }
}

/** An address alone in a paragraph was an embed in WordPress. */
const tidied = (html: string): string =>
  withoutEmpty(html.replace(/<p>\s*(https?:\/\/[^\s<>"]+)\s*<\/p>/g, '<p><a href="$1">$1</a></p>')).trim()

/** Without links, paragraphs and figures that nothing is left in, as after a missing picture. */
export const withoutEmpty = (html: string): string =>
  html.replace(/<a\b[^<>]*>\s*<\/a>/g, '').replace(/<(p|figure)>\s*<\/\1>/g, '')

const lose = ({ lost }: State, what: string) => lost.set(what, (lost.get(what) ?? 0) + 1)

type Opened = { name: string; attributes: Attributes }

function openElement(state: State, site: OldSite, { name, attributes }: Opened): void {
  if (Object.keys(attributes).some((one) => /^on/i.test(one))) lose(state, 'script')
  state.open.push({ written: null })
  if (state.open.length > mostLevels) throw tooDeep
  if (state.card !== null) readCard(state.card, attributes, state.open.length)
  else if (state.skipping === 0) openOutside(state, site, { name, attributes })
}

function openOutside(state: State, site: OldSite, { name, attributes }: Opened): void {
  const card = attributes.class?.split(/\s+/).find((one) => Object.hasOwn(cards, one))
  if (card !== undefined) {
    state.card = { name: card, depth: state.open.length, address: '', title: '', isInTitle: 0 }
    return
  }
  if (Object.hasOwn(removed, name)) {
    const what = removed[name]
    if (what) lose(state, what)
    state.skipping = state.open.length
    return
  }
  if (name === 'object')
    state.card = { name, depth: state.open.length, address: attributes.data ?? '', title: '', isInTitle: 0 }
  else if (players.has(name)) writePlayer(state, site, { name, attributes })
  else writeElement(state, site, { name, attributes })
}

function writeElement(state: State, site: OldSite, { name, attributes }: Opened): void {
  const written = renamed[name] ?? name
  if (blocks.has(written)) {
    endOwnParagraph(state)
    start(state, written, cellAttributes(attributes))
  } else if (boxes.has(name)) endOwnParagraph(state)
  else if (inline.has(written)) {
    const own = ownAttributes(state, site, { name: written, attributes })
    if (own === null) return
    breakLine(state)
    if (written !== 'img' || state.figureDepth === 0) beginOwnParagraph(state)
    start(state, written, own)
    // The line's end behind it is the same break.
    if (written === 'br') state.lineEnds = -1
  }
}

function start(state: State, written: string, attributes: Attributes): void {
  let text = `<${written}`
  for (const name in attributes) text += ` ${name}="${quoted(attributes[name] ?? '')}"`
  state.out.push(`${text}>`)
  if (withoutEnd.has(written)) return
  state.open.splice(-1, 1, { written })
  countDepth(state, written, 1)
}

function countDepth(state: State, written: string, by: 1 | -1): void {
  if (holdsText.has(written)) state.textDepth += by
  if (written === 'figure') state.figureDepth += by
  if (written === 'pre') state.preDepth += by
}

const kept = ['colspan', 'rowspan', 'scope', 'start']
const cellAttributes = (given: Attributes): Attributes =>
  Object.fromEntries(kept.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])))

/** Null for what stays away: a picture we can't get, and a link to nowhere. */
function ownAttributes(state: State, site: OldSite, { name, attributes }: Opened): Attributes | null {
  if (name === 'img') {
    const position = site.picture(attributes.src || attributes['data-src'] || '')
    return position === null ? null : { src: `/~${position}`, alt: attributes.alt ?? '' }
  }
  if (name !== 'a') return {}
  const address = attributes.href ?? ''
  if (/^[\s\p{Cc}]*(javascript|vbscript|data):/iu.test(address)) {
    lose(state, 'link that ran code')
    return null
  }
  return address === '' ? null : { href: site.link(address) }
}

const players = new Set(['iframe', 'embed', 'video', 'audio'])
const isEmbed = (name: string) => name === 'iframe' || name === 'embed' || name === 'object'

function writePlayer(state: State, site: OldSite, { name, attributes }: Opened): void {
  state.skipping = state.open.length
  const address = (attributes.src ?? attributes['data-src'] ?? '').replace(/^\/\//, 'https://')
  const link = address === '' ? '' : site.link(address)
  const host = URL.canParse(link) ? new URL(link).host : ''
  if (!/^https?:/.test(link) && !link.startsWith('/')) return void lose(state, isEmbed(name) ? 'embed' : name)
  lose(state, isEmbed(name) ? `embed from ${host || 'the old site'}, now a link` : `${name} player, now a link`)
  writeLink(state, link, attributes.title || host || link)
}

function writeLink(state: State, address: string, text: string): void {
  const link = `<a href="${quoted(address)}">${escaped(text)}</a>`
  state.out.push(state.isInOwnParagraph || state.textDepth > 0 ? link : `<p>${link}</p>`)
}

function readCard(card: Card, { class: names = '', ...attributes }: Attributes, depth: number): void {
  // An object says where its video is in a parameter, or in what stands within it for browsers that don't know it.
  const said = /^(movie|src|url)$/i.test(attributes.name ?? '') ? attributes.value : undefined
  if (card.address === '') card.address = attributes.href ?? attributes.src ?? said ?? ''
  if (card.isInTitle === 0 && /-title(\s|$)/.test(names)) card.isInTitle = depth
}

function endCard(state: State, site: OldSite, card: Card): void {
  const what = cards[card.name] ?? null
  if (what !== null) lose(state, what)
  state.card = null
  if (card.name === 'object') {
    endObject(state, site, card.address)
    return
  }
  if (card.name === 'kg-signup-card' || !/^(https?:\/\/|\/|__GHOST_URL__)/.test(card.address)) return
  endOwnParagraph(state)
  const address = site.link(card.address)
  writeLink(state, address, card.title.trim() || address)
}

function endObject(state: State, site: OldSite, given: string): void {
  // Flash players had addresses of their own.
  const address = site.link(
    given.replace(/^\/\//, 'https://').replace(/(youtube\.com)\/v\/([\w-]+)\S*/, '$1/watch?v=$2'),
  )
  if (!/^https?:\/\//.test(address)) return void lose(state, 'embed')
  const host = URL.parse(address)?.host ?? address
  lose(state, `embed from ${host}, now a link`)
  endOwnParagraph(state)
  writeLink(state, address, host)
}

function writeText(state: State, text: string): void {
  if (state.card !== null) {
    if (state.card.isInTitle > 0) state.card.title += text
    return
  }
  if (state.skipping > 0) return
  if (state.isTyped && state.preDepth === 0) {
    writeTyped(state, text)
    return
  }
  if (text.trim() !== '') beginOwnParagraph(state)
  state.out.push(escaped(text))
}

function writeTyped(state: State, text: string): void {
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (at > 0) state.lineEnds += 1
    if (line.trim() !== '') {
      breakLine(state)
      beginOwnParagraph(state)
    }
    if (state.lineEnds <= 0) state.out.push(escaped(line))
  }
}

/** Writes the line ends that came after what stands on this line, now that something follows. */
function breakLine(state: State): void {
  if (!state.isTyped) return
  if (state.isLineBegun && state.lineEnds > 1 && state.isInOwnParagraph) endOwnParagraph(state)
  else if (state.isLineBegun && state.lineEnds > 0) state.out.push('<br>'.repeat(Math.min(2, state.lineEnds)))
  state.lineEnds = 0
  state.isLineBegun = true
}

function closeElement(state: State, site: OldSite, name: string): void {
  const depth = state.open.length
  const closed = state.open.pop()
  if (state.card !== null) {
    if (state.card.isInTitle === depth) state.card.isInTitle = 0
    if (state.card.depth === depth) endCard(state, site, state.card)
    return
  }
  if (state.skipping > 0) {
    if (state.skipping === depth) state.skipping = 0
    return
  }
  if (blocks.has(name) || boxes.has(name)) endOwnParagraph(state)
  if (!closed?.written) return
  state.out.push(`</${closed.written}>`)
  countDepth(state, closed.written, -1)
}

/** Text and pictures outside a paragraph get one of their own, or two boxes of text would run into one word. */
function beginOwnParagraph(state: State): void {
  if (state.isInOwnParagraph || state.textDepth > 0) return
  state.isInOwnParagraph = true
  state.out.push('<p>')
}

function endOwnParagraph(state: State): void {
  state.isLineBegun = false
  if (!state.isInOwnParagraph) return
  state.isInOwnParagraph = false
  state.out.push('</p>')
}
