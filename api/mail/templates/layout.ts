import type { Brand, SiteContent } from '#shared/contract/site-content.ts'
import type { PeriodPrice } from '#shared/rules/charge.ts'
import { formatPoundsAndPence, vatLabel } from '#shared/rules/money.ts'
import { everyPeriod, type Period } from '#shared/rules/price-words.ts'
import { inBrandColours, shippedColours } from '#shared/values/brand-colours.ts'

export type MailBody = { subject: string; text: string; html: string }

/* Our own code, because `@react-email/render` takes 327 ms to import and `react-dom/server` 16, and neither writes plain text
   from the same source. Here text and HTML come from the same blocks, so they say the same. */

/** What to do, and the URL if it's somewhere else. */
export type Step = string | { text: string; url?: string | undefined }

const stepOf = (step: Step) => (typeof step === 'string' ? { text: step } : step)

export type Block =
  | { kind: 'text'; text: string }
  | { kind: 'button'; label: string; url: string }
  | { kind: 'rows'; rows: readonly (readonly [label: string, value: string])[] }
  | { kind: 'steps'; steps: readonly Step[] }
  /** Made by `writtenBlock`, which has escaped it. */
  | { kind: 'written'; text: string; html: string }
  | {
      kind: 'bill'
      rows: readonly (readonly [label: string, sum: string])[]
      total: readonly [label: string, sum: string]
    }

export const paragraph = (text: string): Block => ({ kind: 'text', text })

/** An email's content, without the layout. */
export type Message = { subject: string; heading: string; blocks: readonly Block[] }

export type MailSender = Pick<SiteContent, 'url' | 'disclosure'> & {
  brand: Pick<Brand, 'name' | 'tagline'> & Partial<Pick<Brand, 'colours' | 'logo'>>
}

const legalPages = [
  ['Privacy', '/privacy'],
  ['Terms', '/terms'],
  ['Cancelling', '/cancellation'],
] as const

export const logoInMail = 'cid:logo'

/** Renders an email with the site's layout. It loads nothing external, and escapes what people typed. */
export function renderMail(message: Message, sender: MailSender): MailBody {
  const { subject, heading, blocks } = message
  const text = [heading, ...blocks.map(blockText), `-- \n${footLines(sender).join('\n')}`].join('\n\n')
  const html = inBrandColours(mailPage(message, sender), sender.brand.colours ?? shippedColours)
  return { subject, text: `${text}\n`, html }
}

const footLines = ({ brand, disclosure, url }: MailSender): string[] => [
  ...[brand.name, brand.tagline, disclosure].filter((line) => line !== ''),
  ...legalPages.map(([label, path]) => `${label}: ${url}${path}`),
]

function footHtml({ brand, disclosure, url }: MailSender): string {
  const lines = [brand.name, brand.tagline, disclosure]
    .filter((line) => line !== '')
    .map((line) => Bun.escapeHTML(line))
  const links = legalPages.map(([label, path]) => {
    const address = Bun.escapeHTML(url + path)
    return `<a class="link" href="${address}" style="${styles.link}">${label}</a>`
  })
  return [...lines, links.join(' · ')].join('<br>')
}

/** The greeting. Leaves out a "name" that a mail program would turn into a link, which someone could use to advertise. */
export function greeting(firstName: string | null): string {
  const name = (firstName ?? '').replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  const isName = name !== '' && name.length <= 60 && !/[/@:]|\.[\p{L}\p{N}]/u.test(name)
  return isName ? `Hello ${name},` : 'Hello,'
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'text':
    case 'written':
      return block.text
    case 'button':
      return `${block.label}:\n${block.url}`
    case 'rows':
      // Indent further lines of a value, so they don't look like a row of their own.
      return block.rows.map(([label, value]) => `${label}: ${value.replaceAll('\n', '\n    ')}`).join('\n')
    case 'bill':
      return [...block.rows, block.total].map(([label, sum]) => `${label}: ${sum}`).join('\n')
    case 'steps':
      return block.steps.map((step, index) => `${index + 1}. ${stepText(step)}`).join('\n')
  }
}

export const styles = {
  text: 'margin:0 0 20px;font-size:18px;line-height:1.5',
  button:
    'display:inline-block;padding:18px 24px;border-left:10px solid #ffdc00;border-radius:3px;background:#151612;color:#ffffff;font-size:18px;font-weight:700;text-decoration:none',
  small: 'margin:0 0 24px;font-size:16px;line-height:1.5;color:#41443b;word-break:break-all',
  link: 'color:#173f9e',
  row: 'padding:8px 0;border-bottom:1px solid #c9cec2',
  bill: 'width:100%;margin:0 0 20px;border-collapse:collapse;font-size:18px;line-height:1.5;font-variant-numeric:tabular-nums',
  sum: 'padding:8px 0;border-bottom:1px solid #c9cec2;font-weight:400',
  total: 'padding:12px 0;border-top:4px solid #151612;font-size:22px;font-weight:800',
}

function blockHtml(block: Block): string {
  switch (block.kind) {
    case 'text':
      return `<p style="${styles.text}">${Bun.escapeHTML(block.text).replaceAll('\n', '<br>')}</p>`
    case 'written':
      return block.html
    case 'button':
      return buttonHtml(Bun.escapeHTML(block.label), Bun.escapeHTML(block.url))
    case 'rows':
      return `<div style="${styles.text}">${block.rows.map(rowHtml).join('')}</div>`
    case 'bill':
      return billHtml(block.rows, block.total)
    case 'steps':
      return `<ol style="${styles.text};padding-left:24px">${block.steps.map(stepHtml).join('')}</ol>`
  }
}

const buttonHtml = (label: string, url: string) =>
  `<p style="${styles.text}"><a class="button" href="${url}" style="${styles.button}">${label}</a></p>
<p class="second" style="${styles.small}">Or copy this address: <a class="link" href="${url}" style="${styles.link}">${url}</a></p>`

function stepText(step: Step): string {
  const { text, url } = { url: '', ...stepOf(step) }
  return url ? `${text}\n   ${url}` : text
}

function stepHtml(step: Step): string {
  const { text, url } = { url: '', ...stepOf(step) }
  const address = Bun.escapeHTML(url ?? '')
  const link = url ? `<br><a class="link" href="${address}" style="${styles.link}">${address}</a>` : ''
  return `<li>${Bun.escapeHTML(text)}${link}</li>`
}

const rowHtml = ([label, value]: readonly [string, string]) =>
  `<div class="row" style="${styles.row}"><span class="second" style="color:#41443b">${Bun.escapeHTML(label)}:</span> <strong>${Bun.escapeHTML(value).replaceAll('\n', '<br>')}</strong></div>`

type Row = readonly [label: string, sum: string]

const billHtml = (rows: readonly Row[], total: Row) =>
  `<table style="${styles.bill}">${rows.map((row) => sumHtml(row, 'sum')).join('')}${sumHtml(total, 'total')}</table>`

const sumHtml = ([label, sum]: Row, kind: 'sum' | 'total') =>
  `<tr><th class="${kind}" scope="row" style="${styles[kind]};text-align:left">${Bun.escapeHTML(label)}</th><td class="${kind}" style="${styles[kind]};text-align:right;white-space:nowrap">${Bun.escapeHTML(sum)}</td></tr>`

/** Mail programs with dark mode get the site's dark colours. Others show the light ones. */
const darkScheme = `:root{color-scheme:light dark}@media (prefers-color-scheme:dark){
.bench{background:#10110d!important}.sheet{background:#1a1c16!important;color:#f2f3ea!important}
.second{color:#c0c4b6!important}.link{color:#a5bdff!important}.row,.sum{border-color:#3a3e34!important}.total{border-color:#f2f3ea!important}
.button{background:#f2f3ea!important;color:#10110d!important}}`

function mailPage({ subject, heading, blocks }: Message, sender: MailSender): string {
  const { logo = '' } = sender.brand
  const picture = logo.startsWith('/media/')
    ? `<img src="${logoInMail}" alt="" height="40" style="height:40px;width:auto;max-width:240px;margin-right:12px;vertical-align:middle">`
    : ''
  const name = `${picture}<span style="white-space:nowrap">${Bun.escapeHTML(sender.brand.name)}</span>`
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${Bun.escapeHTML(subject)}</title>
<style>${darkScheme}</style>
</head>
<body class="bench" style="margin:0;padding:24px 12px;background:#eceee6;font-family:'Helvetica Neue',Arial,sans-serif">
<div style="max-width:600px;margin:0 auto">
<div style="padding:20px 24px;border-bottom:10px solid #ffdc00;background:#151612;color:#ffffff;font-size:22px;font-weight:800;text-transform:uppercase">${name}</div>
<div class="sheet" style="padding:32px 24px 16px;background:#ffffff;color:#151612;overflow-wrap:anywhere;word-break:break-word">
<h1 style="margin:0 0 20px;font-size:30px;line-height:1.1;font-weight:800">${Bun.escapeHTML(heading)}</h1>
${blocks.map(blockHtml).join('\n')}
</div>
<p class="second" style="margin:16px 24px;font-size:15px;line-height:1.5;color:#41443b;overflow-wrap:anywhere">${footHtml(sender)}</p>
</div>
</body>
</html>
`
}

const plainLabels = { net: 'Net', total: 'Total' }
export const labelsEvery = (period: Period) => ({
  net: `Net ${everyPeriod(period)}`,
  total: `Total ${everyPeriod(period)}`,
})

/** `vatRate`: per cent, null if the lines differ. */
export type Bill = Omit<PeriodPrice, 'vatRate'> & { vatRate?: number | null | undefined }

export const billOf = ({ net, vat, vatRate, total }: Bill, labels = plainLabels): Extract<Block, { kind: 'bill' }> => ({
  kind: 'bill',
  rows: [
    [labels.net, formatPoundsAndPence(net)],
    [vatLabel(vatRate), formatPoundsAndPence(vat)],
  ],
  total: [labels.total, formatPoundsAndPence(total)],
})
