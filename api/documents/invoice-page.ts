import { formatPoundsAndPence } from '#shared/rules/money.ts'
import type { DocumentLine, LegalDocument } from './legal-document.ts'
import { type PageLook, type PageStyle, pageStyle, plainPage, escapeText as text } from './plain-page.ts'

type Related = { label: string; href: string }

export type PageParts = { document: LegalDocument; pdfHref: string; related: readonly Related[] }

export const documentStyle = (look: PageLook): PageStyle => pageStyle(look, documentCss)

/** An invoice or credit note as a page to read or print, without scripts. Escapes what people typed. */
export function documentPage({ css }: PageStyle, { document, pdfHref, related }: PageParts): string {
  const { title, number, details, seller, customer, remarks } = document
  const bar = [
    { label: 'Back to Billing', href: '/members?tab=billing' },
    { label: 'Download PDF', href: pdfHref },
  ]
  return plainPage(css, {
    title: `${title} ${number}`,
    bar: { name: 'Document', links: bar },
    main: `<div class="top">
<h1>${text(title)}</h1>
<div><h2>From</h2><p><b>${text(seller.name)}</b></p><p class="lines">${text(seller.address)}</p><p>VAT registration number ${text(seller.vatNumber)}</p></div>
</div>
<div class="parties">
<div><h2>Customer</h2><p><b>${text(customer.name)}</b></p>${customer.businessName ? `<p>${text(customer.businessName)}</p>` : ''}${customer.address ? `<p class="lines">${text(customer.address)}</p>` : ''}</div>
<dl class="facts">${details.map(({ label, value }) => `<div><dt>${text(label)}</dt><dd>${text(value)}</dd></div>`).join('')}</dl>
</div>
${linesTable(document)}
${totalsList(document)}
<div class="remarks">${remarks.map((remark) => `<p>${text(remark)}</p>`).join('')}</div>
${relatedDocuments(related)}`,
  })
}

const pounds = (amount: number) => text(formatPoundsAndPence(amount))

const linesTable = ({ lines }: LegalDocument) => `<table role="table" aria-label="What was supplied">
<thead role="rowgroup"><tr role="row">${['Description', 'Quantity', 'Unit price', 'Net', 'VAT rate', 'VAT'].map((head) => `<th role="columnheader" scope="col">${head}</th>`).join('')}</tr></thead>
<tbody role="rowgroup">${lines.map(lineRow).join('\n')}</tbody>
</table>`

const lineRow = ({ description, discount, quantity, unitPrice, net, rate, vat }: DocumentLine) =>
  `<tr role="row"><td role="cell">${text(description)}${discount === null ? '' : `<small>${text(discount)}</small>`}</td>${[
    ['Quantity', text(quantity)],
    ['Unit price', pounds(unitPrice)],
    ['Net', pounds(net)],
    ['VAT rate', `${rate}%`],
    ['VAT', pounds(vat)],
  ]
    .map(([label, cell]) => `<td role="cell" data-l="${label}">${cell}</td>`)
    .join('')}</tr>`

const totalsList = ({ rates, net, vat, gross }: LegalDocument) => `<dl class="totals">
<div><dt>Total excluding VAT</dt><dd>${pounds(net)}</dd></div>
${rates.map((one) => `<div><dt>VAT at ${one.rate}% on ${pounds(one.net)}</dt><dd>${pounds(one.vat)}</dd></div>`).join('\n')}
<div><dt>Total VAT</dt><dd>${pounds(vat)}</dd></div>
<div class="total"><dt>Total including VAT</dt><dd>${pounds(gross)}</dd></div>
</dl>`

/** Earlier and later documents. They change, so they aren't part of the document and aren't printed. */
const relatedDocuments = (related: readonly Related[]) =>
  related.length === 0
    ? ''
    : `<section class="since"><h2>Related documents</h2><ul>${related
        .map(({ label, href }) => `<li><a href="${text(href)}">${text(label)}</a></li>`)
        .join('')}</ul></section>\n`

const documentCss = `
.top, .parties { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(16rem, 100%), 1fr)); gap: 1.5rem 3rem; }
.parties { margin-block: 2.25rem; }
.lines { white-space: pre-line; }
.facts { display: grid; gap: 0.6rem; align-content: start; }
dt { font-size: 0.9375rem; font-weight: 640; font-stretch: 116%; color: var(--ink-2); }
dd { font-weight: 680; }
table { width: 100%; border-collapse: collapse; font-size: 1rem; line-height: 1.35; font-variant-numeric: tabular-nums; }
th { text-align: start; font-size: 0.9375rem; font-weight: 640; color: var(--ink-2); border-block-end: 4px solid var(--ink); padding: 0.5rem 0.75rem 0.5rem 0; }
td { padding: 0.75rem 0.75rem 0.75rem 0; border-block-end: 1px solid var(--rule); vertical-align: top; }
th:not(:first-child), td:not(:first-child) { text-align: end; padding-inline-end: 0; padding-inline-start: 1.25rem; white-space: nowrap; }
td small { display: block; font-size: 0.9375rem; color: var(--ink-2); }
@media (max-width: 40rem) {
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr { display: block; border-block-end: 1px solid var(--rule); padding-block: 0.5rem; }
  tbody { display: block; border-block-start: 4px solid var(--ink); }
  table { display: block; }
  td, td:not(:first-child) { display: flex; justify-content: space-between; gap: 1rem; border: 0; padding: 0.3rem 0; text-align: end; white-space: normal; }
  td:first-child { display: block; text-align: start; font-weight: 640; }
  td[data-l]::before { content: attr(data-l); color: var(--ink-2); text-align: start; }
}
.totals { margin: 1.25rem 0 0 auto; max-width: 24rem; font-variant-numeric: tabular-nums; }
.totals div { display: flex; justify-content: space-between; align-items: baseline; gap: 1rem; padding-block: 0.5rem; border-block-end: 1px solid var(--rule); }
.totals dt { font-size: 1rem; font-weight: 440; font-stretch: 100%; color: inherit; }
.totals .total { border-block-start: 4px solid var(--ink); border-block-end: 0; padding-block-start: 0.8rem; }
.totals dd { white-space: nowrap; }
.totals .total dt { font-weight: 720; line-height: 1.15; }
.totals .total dd { font-size: 2.75rem; font-stretch: 62%; font-weight: 800; line-height: 0.85; }
.remarks { margin-block-start: 2.25rem; display: grid; gap: 0.4rem; font-size: 1rem; color: var(--ink-2); }
.since { margin-block-start: 2.25rem; border-block-start: 1px solid var(--rule); padding-block-start: 1rem; }
.since ul { margin: 0.5rem 0 0; padding-inline-start: 1.25rem; }
.since a { display: inline-block; padding-block: 0.35rem; }
@page { size: A4; margin: 18mm; }
@media print {
  :root { color-scheme: light; }
  body { background: #fff; color: #000; font-size: 11pt; }
  .bar, .since { display: none; }
  .sheet { max-width: none; margin: 0; padding: 0; box-shadow: none; background: #fff; }
  h1 { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .top, .parties { grid-template-columns: 1fr 1fr; }
  tr, .totals { break-inside: avoid; }
}
`
