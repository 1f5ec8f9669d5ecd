import { isOwnPath } from '#shared/rules/link-target.ts'
import { plural } from '#shared/rules/plural.ts'
import { cssOf, hasCss, isColoured } from './pasted-looks.ts'
import { isWordItem, takeWordMarker } from './pasted-word-list.ts'

/** What a post can't hold. */
type Lost = 'picture' | 'embed' | 'table' | 'struck' | 'underlined' | 'coloured' | 'centred'

export type Pasted = { html: string; told: string }

/**
 * What other programs put on the clipboard, in the elements a post keeps. Google Docs wraps everything in a `b` that isn't bold,
 * Word's lists are paragraphs with a number, Word online says what's bold or a heading in attributes.
 */
export function readPasted(html: string): Pasted {
  // The page's policy refuses styles in attributes, and tells of each, wherever they're parsed.
  const unstyled = html.replace(/<[a-z](?:"[^"]*"|'[^']*'|[^'">])*>/gi, (tag) =>
    tag.replace(/(\s)style\s*=/gi, '$1data-css='),
  )
  const { body } = new DOMParser().parseFromString(unstyled, 'text/html')
  // Our own editor's clipboard.
  if (body.querySelector('[data-pm-slice]')) return { html: body.innerHTML, told: '' }
  inlineApplesStyles(body.ownerDocument)
  const lost = new Map<Lost, number>()
  const out = startBlocks(lost)
  readChildren(body, { bold: false, italic: false, isHeading: false, isLink: false }, out)
  return { html: endBlocks(out), told: tellLost(lost) }
}

/** Notes, Pages and TextEdit name looks in a sheet: `span.s1 {text-decoration: underline}`. */
function inlineApplesStyles(page: Document): void {
  for (const sheet of page.querySelectorAll('style'))
    for (const [, named = '', css = ''] of (sheet.textContent ?? '').matchAll(
      /\b((?:p|span|li)\.[a-z]+\d+)\s*\{([^{}]*)\}/g,
    ))
      for (const element of page.querySelectorAll(named)) element.setAttribute('data-css', `${css};${cssOf(element)}`)
}

function tellLost(lost: ReadonlyMap<Lost, number>): string {
  const count = (what: Lost) => lost.get(what) ?? 0
  const pictures = count('picture')
  return [
    pictures > 0 &&
      `We left out ${plural(pictures, 'picture')}: upload ${pictures === 1 ? 'it' : 'them'} with “Picture”.`,
    count('embed') > 0 && 'We left out a video or another site’s box: add a link instead.',
    count('table') > 0 && 'The table is lines of text now.',
    ...plainNow.map(([what, sentence]) => count(what) > 0 && sentence),
  ]
    .filter(Boolean)
    .join(' ')
}

const plainNow: readonly [Lost, string][] = [
  ['struck', 'Crossed-out words look like the others now.'],
  ['underlined', 'Underlined words look like the others now.'],
  ['coloured', 'Coloured words look like the others now.'],
  ['centred', 'Centred lines start at the left now.'],
]

type Marks = { bold: boolean; italic: boolean; isHeading: boolean; isLink: boolean }

/** `level` is how deep it stands, from 1. `number` is null where it has none. */
type Item = { level: number; number: number | null; html: string }

type Blocks = { lost: Map<Lost, number>; done: string; line: string; items: Item[]; level: number }

const startBlocks = (lost: Map<Lost, number>, level = 0): Blocks => ({ lost, done: '', line: '', items: [], level })

const lose = ({ lost }: Blocks, what: Lost) => void lost.set(what, (lost.get(what) ?? 0) + 1)

/** What's left of a line without spaces and breaks at its ends. */
const trimLine = (line: string) => line.replace(/^(?:\s|<br>)+|(?:\s|<br>)+$/g, '')

function endLine(out: Blocks, tag = 'p'): void {
  const line = trimLine(out.line)
  out.line = ''
  if (line !== '') addBlock(out, `<${tag}>${line}</${tag}>`)
}

function addBlock(out: Blocks, html: string): void {
  endList(out)
  out.done += html
}

function endBlocks(out: Blocks): string {
  // Words within a line stay within the line they're pasted into.
  if (out.done === '' && out.items.length === 0) return out.line.replace(/<br>$/, '')
  endLine(out)
  endList(out)
  return out.done
}

/** Items of one list come in one by one, and from Word online each in a list of its own. */
function endList(out: Blocks): void {
  const open: { level: number; tag: string }[] = []
  let html = ''
  const close = () => {
    html += `</li></${open.pop()?.tag}>`
  }
  for (const { level, number, html: item } of out.items) {
    const tag = number === null ? 'ul' : 'ol'
    const last = () => open.at(-1)
    while ((last()?.level ?? 0) > level) close()
    if (last()?.level === level && (last()?.tag !== tag || number === 1)) close()
    if (last()?.level === level) html += '</li>'
    else {
      open.push({ level, tag })
      html += number !== null && number > 1 ? `<ol start="${number}">` : `<${tag}>`
    }
    html += `<li>${item}`
  }
  while (open.length > 0) close()
  out.items = []
  out.done += html
}

const escaped = (text: string) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')

function readChildren(parent: Node, marks: Marks, out: Blocks): void {
  for (const node of parent.childNodes) {
    if (node instanceof Element) readElement(node, marks, out)
    else if (node.nodeType === Node.TEXT_NODE) addText(node.textContent ?? '', marks, out)
  }
}

function addText(text: string, { bold, italic, isHeading }: Marks, out: Blocks): void {
  const words = text.replace(/[\s\u00A0]+/g, ' ')
  // Between two blocks.
  if (words === '' || (words === ' ' && (out.line === '' || /(?:\s|<br>)$/.test(out.line)))) return
  const emphasised = italic ? `<em>${escaped(words)}</em>` : escaped(words)
  out.line += bold && !isHeading ? `<strong>${emphasised}</strong>` : emphasised
}

const skipped = 'style,script,head,meta,link,title,xml,template,noscript,select,textarea,button,input'
const isHidden = (element: Element) =>
  element.matches(skipped) ||
  hasCss(element, /display\s*:\s*none|mso-hide\s*:\s*all|mso-element\s*:\s*comment/i) ||
  /MsoComment(?:Reference|Text)/.test(element.className)

const blocks =
  'p,div,section,article,aside,header,footer,main,nav,form,fieldset,address,center,dl,dt,dd,figure,figcaption,details,summary,h1,h2,h3,h4,h5,h6'

function readElement(element: Element, outer: Marks, out: Blocks): void {
  if (isHidden(element)) return
  const marks = marksOf(element, outer)
  const name = element.localName
  noteLooks(element, marks, out)
  if (name === 'br') addBreak(out)
  else if (name === 'img') addPicture(element, out)
  else if (element.matches('iframe,video,audio,object,embed,canvas,svg')) lose(out, 'embed')
  else if (name === 'hr') addRule(out)
  else if (name === 'a') readLink(element, marks, out)
  else if (name === 'ul' || name === 'ol') readList(element, marks, out)
  else if (name === 'table') readTable(element, marks, out)
  else if (name === 'pre') readPre(element, out)
  else if (name === 'blockquote' || /Mso(?:Intense)?Quote/.test(element.className)) readQuote(element, marks, out)
  else if (name === 'code' || name === 'tt') wrapLine('code', element, marks, out)
  else if (name === 'sup' || name === 'sub') readRaised(element, marks, out)
  else if (isWordItem(element)) readWordItem(element, marks, out)
  else if (element.matches(blocks)) readBlock(element, marks, out)
  else readChildren(element, marks, out)
}

/** Headings and links have looks of their own here too. */
function noteLooks(element: Element, { isHeading, isLink }: Marks, out: Blocks): void {
  if ((element.textContent ?? '').trim() === '') return
  if (element.matches('s,strike,del') || hasCss(element, /text-decoration[^;]*:[^;]*line-through/i)) lose(out, 'struck')
  if (isHeading || isLink || isAllLink(element) || rankOf(element) > 0) return
  if (element.matches('u,ins') || hasCss(element, /text-decoration[^;]*:[^;]*underline/i)) lose(out, 'underlined')
  if (isColoured(element)) lose(out, 'coloured')
  if (
    element.matches(blocks) &&
    (hasCss(element, /text-align\s*:\s*center/i) || /^center$/i.test(element.getAttribute('align') ?? ''))
  )
    lose(out, 'centred')
}

/** Safari puts the underline around the link. */
function isAllLink(element: Element): boolean {
  const linked = element.matches('a') ? [element] : [...element.querySelectorAll('a')]
  const text = (one: Element) => (one.textContent ?? '').trim()
  return linked.map(text).join('') === text(element)
}

/** The style decides where there's one: `<b style="font-weight:normal">` isn't bold. */
function marksOf(element: Element, outer: Marks): Marks {
  const [, weight] = /(?:^|[;\s])font-weight\s*:\s*([\w-]+)/i.exec(cssOf(element)) ?? []
  const [, slant] = /(?:^|[;\s])font-style\s*:\s*([\w-]+)/i.exec(cssOf(element)) ?? []
  return {
    ...outer,
    bold: weight ? /^(?:bold|bolder|[6-9]\d\d)$/i.test(weight) : outer.bold || element.matches('b,strong,th'),
    italic: slant ? /^(?:italic|oblique)$/i.test(slant) : outer.italic || element.matches('i,em,cite,dfn,var'),
  }
}

/** A second one is an empty line, which ends a paragraph. */
function addBreak(out: Blocks): void {
  if (/<br>\s*$/.test(out.line)) endLine(out)
  else if (out.line !== '') out.line += '<br>'
}

function addRule(out: Blocks): void {
  endLine(out)
  addBlock(out, '<hr>')
}

/** A picture on another site would be gone once the post is saved. */
function addPicture(element: Element, out: Blocks): void {
  const [src, alt] = [element.getAttribute('src') ?? '', element.getAttribute('alt') ?? '']
  if (/checkbox/i.test(element.getAttribute('aria-roledescription') ?? '')) return
  // Counts who has seen a page or mail.
  if (element.getAttribute('width') === '1' && element.getAttribute('height') === '1') return
  const own = src.startsWith(`${location.origin}/`) ? src.slice(location.origin.length) : src
  if (isOwnPath(own)) {
    endLine(out)
    addBlock(out, `<img src="${escaped(own)}" alt="${escaped(alt)}">`)
  } else lose(out, 'picture')
}

/** Google Docs' published pages lead through Google. */
function readLink(element: Element, marks: Marks, out: Blocks): void {
  const href = element.getAttribute('href') ?? ''
  const given = URL.canParse(href) ? new URL(href) : null
  const isThrough = given?.hostname === 'www.google.com' && given.pathname === '/url'
  const address = (isThrough && given?.searchParams.get('q')) || href
  const isKept = /^(?:https?:|mailto:)/i.test(address) || isOwnPath(address)
  const inner = startBlocks(out.lost)
  readChildren(element, { ...marks, isLink: true }, inner)
  const isLine = inner.done === '' && inner.items.length === 0
  if (!isLine) addBlock(out, endBlocks(inner))
  else if (isKept && inner.line.trim() !== '') out.line += `<a href="${escaped(address)}">${inner.line}</a>`
  else out.line += inner.line
}

function wrapLine(tag: string, element: Element, marks: Marks, out: Blocks): void {
  const inner = startBlocks(out.lost)
  readChildren(element, { ...marks, bold: false, italic: false }, inner)
  if (inner.line !== '') out.line += `<${tag}>${inner.line}</${tag}>`
}

/** “m²” isn’t “m2”. */
function readRaised(element: Element, marks: Marks, out: Blocks): void {
  const text = element.textContent ?? ''
  const digits = element.localName === 'sup' ? '⁰¹²³⁴⁵⁶⁷⁸⁹' : '₀₁₂₃₄₅₆₇₈₉'
  if (/^\d+$/.test(text))
    addText(
      text.replace(/\d/g, (digit) => digits[Number(digit)] ?? digit),
      marks,
      out,
    )
  else readChildren(element, marks, out)
}

/** A post has its own h1. */
const ranks = ['', 'h2', 'h2', 'h3', 'h4', 'h4', 'h4']

function rankOf(element: Element): number {
  if (/MsoTitle/.test(element.className)) return 1
  if (element.getAttribute('role') === 'heading') return Number(element.getAttribute('aria-level')) || 2
  return Number(/^h([1-6])$/.exec(element.localName)?.[1] ?? 0)
}

function readBlock(element: Element, marks: Marks, out: Blocks): void {
  endLine(out)
  const rank = rankOf(element)
  readChildren(element, rank === 0 ? marks : { ...marks, isHeading: true }, out)
  endLine(out, rank === 0 ? 'p' : ranks[Math.min(rank, 6)])
}

function readQuote(element: Element, marks: Marks, out: Blocks): void {
  endLine(out)
  const inner = startBlocks(out.lost)
  readBlock(element, marks, inner)
  const html = endBlocks(inner)
  if (html !== '') addBlock(out, `<blockquote>${html}</blockquote>`)
}

function readPre(element: Element, out: Blocks): void {
  endLine(out)
  addBlock(out, `<pre><code>${escaped(element.textContent ?? '')}</code></pre>`)
}

/** Google Docs has lists within lists outside of items. */
function readList(element: Element, marks: Marks, out: Blocks): void {
  endLine(out)
  out.level += 1
  let number = Number(element.getAttribute('start') ?? 1) || 1
  for (const child of element.children) {
    if (child.localName === 'ul' || child.localName === 'ol') readList(child, marks, out)
    else if (!isHidden(child)) {
      readItem(child, { marks: marksOf(child, marks), number: element.localName === 'ol' ? number : null }, out)
      number += 1
    }
  }
  out.level -= 1
}

/** The lists within it follow it, one level deeper. */
function readItem(element: Element, { marks, number }: { marks: Marks; number: number | null }, out: Blocks): void {
  const level = Math.max(out.level, Number(element.getAttribute('data-aria-level')) || 0)
  const inner = startBlocks(out.lost, level)
  const within = [...element.children].filter((child) => child.matches('ul,ol'))
  const words = document.createElement('div')
  words.append(...[...element.childNodes].filter((child) => !within.some((list) => list === child)))
  readChildren(words, marks, inner)
  const html = inner.done === '' && inner.items.length === 0 ? trimLine(inner.line) : endBlocks(inner)
  out.items.push({ level, number, html: html === '' ? '' : html.startsWith('<p>') ? html : `<p>${html}</p>` })
  for (const list of within) readList(list, marks, out)
}

function readWordItem(element: Element, marks: Marks, out: Blocks): void {
  const { level, marker, number } = takeWordMarker(element)
  endLine(out)
  const inner = startBlocks(out.lost)
  readChildren(element, marks, inner)
  const line = trimLine(inner.line)
  const rank = rankOf(element)
  if (rank > 0) addBlock(out, `<${ranks[rank]}>${number === null ? '' : `${escaped(marker)} `}${line}</${ranks[rank]}>`)
  else out.items.push({ level, number, html: `<p>${line}</p>` })
}

/** Of one column it’s a frame, as mails have. */
function readTable(element: Element, marks: Marks, out: Blocks): void {
  endLine(out)
  const rows = [...element.querySelectorAll('tr')].filter((row) => row.closest('table') === element)
  const isLayout = rows.every((row) => row.children.length < 2)
  if (!isLayout) lose(out, 'table')
  for (const row of rows) {
    if (isLayout) for (const cell of row.children) readBlock(cell, marksOf(cell, marks), out)
    else {
      const cells = Array.from(row.children, (cell) => {
        const inner = startBlocks(out.lost)
        readChildren(cell, marksOf(cell, marks), inner)
        return endBlocks(inner)
          .replace(/<\/?(?:p|h\d|ul|ol|li|blockquote)[^>]*>/g, ' ')
          .trim()
      })
      out.line += cells.filter((cell) => cell !== '').join(' | ')
      endLine(out)
    }
  }
}
