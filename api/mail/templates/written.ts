import type { RichPart, RichText } from '#shared/contract/announcement.ts'
import { plainRichText, readRichText, wholeAddress } from '#shared/rules/rich-text.ts'
import { type Block, greeting, type Message, styles } from './layout.ts'

/** Turns an owner's text into a block. Everything is escaped, and only permitted links become links. */
export function writtenBlock(markdown: string, siteUrl: string): Block {
  const text = readRichText(markdown)
  return {
    kind: 'written',
    text: plainRichText(text, siteUrl),
    html: text.map((part) => partHtml(part, siteUrl)).join('\n'),
  }
}

const headingStyle = 'margin:0 0 12px;font-size:22px;line-height:1.2;font-weight:800'

function partHtml({ kind, lines }: RichText[number], siteUrl: string): string {
  const [first = '', ...more] = lines.map((line) => lineHtml(line, siteUrl))
  if (kind === 'heading') return `<h2 style="${headingStyle}">${first}</h2>`
  if (kind === 'paragraph') return `<p style="${styles.text}">${first}</p>`
  return `<ul style="${styles.text};padding-left:24px">${[first, ...more].map((line) => `<li>${line}</li>`).join('')}</ul>`
}

const lineHtml = (line: readonly RichPart[], siteUrl: string) =>
  line
    .map(({ text, isBold, href }) => {
      const words = Bun.escapeHTML(text).replaceAll('\n', '<br>')
      if (href === undefined) return isBold ? `<strong>${words}</strong>` : words
      return `<a class="link" href="${Bun.escapeHTML(wholeAddress(href, siteUrl))}" style="${styles.link}">${words}</a>`
    })
    .join('')

type Written = { subject: string; text: string; firstName: string | null; siteUrl: string; after?: readonly Block[] }

export const writtenMail = ({ subject, text, firstName, siteUrl, after = [] }: Written): Message => ({
  subject,
  heading: subject,
  blocks: [{ kind: 'text', text: greeting(firstName) }, writtenBlock(text, siteUrl), ...after],
})
