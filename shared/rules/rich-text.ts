import type { RichPart, RichText } from '#shared/contract/announcement.ts'
import { problemOfText } from '#shared/values/written-text.ts'

/**
 * Parses the owners' Markdown: paragraphs with blank lines between, lines that begin with `## ` or `- `, `**bold**` and
 * `[links](https://…)`. Everything else stays text, so none of it can become HTML; a link to a target we don't allow is text too.
 */
export function readRichText(markdown: string): RichText {
  const read: RichText = []
  let open: RichText[number] | null = null
  for (const line of markdown.replaceAll('\r', '').split('\n')) {
    const { kind, text } = kindOf(line)
    if (text === '') {
      open = null
      continue
    }
    const parts = partsOf(text)
    if (open !== null && open.kind === kind && kind !== 'heading') appendParts(open, parts)
    else {
      open = { kind, lines: [parts] }
      read.push(open)
    }
  }
  return read
}

type Block = RichText[number]

function kindOf(line: string): { kind: Block['kind']; text: string } {
  const [, mark, rest = ''] = /^\s{0,3}(#{1,6}|[-*])\s+(.*)$/s.exec(line) ?? []
  if (mark === undefined) return { kind: 'paragraph', text: line.trim() }
  return { kind: mark.startsWith('#') ? 'heading' : 'list', text: rest.trim() }
}

function appendParts(block: Block, parts: RichPart[]): void {
  const last = block.lines.at(-1)
  if (block.kind === 'paragraph' && last !== undefined) last.push({ text: '\n' }, ...parts)
  else block.lines.push(parts)
}

const marked = /\*\*([^*]+)\*\*|\[([^\][]+)\]\(\s*([^()\s]+)\s*\)/g

function partsOf(text: string): RichPart[] {
  const parts: RichPart[] = []
  let at = 0
  for (const match of text.matchAll(marked)) {
    const [whole, bold, label = '', href = ''] = match
    if (bold === undefined && problemOfText(`[x](${href})`) !== null) continue
    if (match.index > at) parts.push({ text: text.slice(at, match.index) })
    parts.push(bold === undefined ? { text: label, href } : { text: bold, isBold: true })
    at = match.index + whole.length
  }
  if (at < text.length) parts.push({ text: text.slice(at) })
  return parts
}

/** The same as plain text, with each address after its words. A path of the site gets `site` in front. */
export const plainRichText = (text: RichText, site: string): string =>
  text
    .map(({ kind, lines }) => lines.map((line) => (kind === 'list' ? '- ' : '') + plainLine(line, site)).join('\n'))
    .join('\n\n')

const plainLine = (line: readonly RichPart[], site: string) =>
  line
    .map(({ text, href }) => {
      if (href === undefined) return text
      const address = wholeAddress(href, site).replace(/^(mailto|tel):/, '')
      return address === text ? text : `${text} (${address})`
    })
    .join('')

/** An email needs the site in front of a path. */
export const wholeAddress = (href: string, site: string) => (/^[/#]/.test(href) ? site + href : href)
