import { createHash } from 'node:crypto'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import type { DocumentLine, LegalDocument } from './legal-document.ts'

/** A link to a document that this one refers to, or that refers to it. */
type Related = { label: string; href: string }

export type PageParts = { document: LegalDocument; pdfHref: string; related: readonly Related[] }

export type PageStyle = { css: string; policy: string }

/**
 * The style of the page, and a content policy for it alone: this one style by its hash, the font from this site, and nothing
 * else. `font` is the address of the site's font, null where the site is not built.
 */
export function pageStyle(font: string | null): PageStyle {
  const css = `${font === null ? '' : fontFace(font)}${baseCss}`
  const hash = createHash('sha256').update(css).digest('base64')
  const policy = [
    ...[`default-src 'none'`, `style-src 'sha256-${hash}'`, `font-src 'self'`, `img-src 'self'`],
    ...[`base-uri 'none'`, `form-action 'none'`, `frame-ancestors 'none'`],
  ]
  return { css, policy: policy.join('; ') }
}

/** An invoice or credit note as a page that is read and printed without a script. What people typed is escaped here. */
export function documentPage({ css }: PageStyle, { document, pdfHref, related }: PageParts): string {
  const { title, number, details, seller, customer, remarks } = document
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>${text(`${title} ${number}`)}</title>
<style>${css}</style>
</head>
<body>
<header class="bar"><nav aria-label="Document"><a href="/members?tab=billing">Back to Billing</a><a href="${text(pdfHref)}">Download PDF</a></nav></header>
<main class="sheet">
<div class="top">
<h1>${text(title)}</h1>
<div><h2>From</h2><p><b>${text(seller.name)}</b></p><p class="lines">${text(seller.address)}</p><p>VAT registration number ${text(seller.vatNumber)}</p></div>
</div>
<div class="parties">
<div><h2>Customer</h2><p><b>${text(customer.name)}</b></p>${customer.businessName ? `<p>${text(customer.businessName)}</p>` : ''}${customer.address ? `<p class="lines">${text(customer.address)}</p>` : ''}</div>
<dl class="facts">${details.map(({ label, value }) => `<div><dt>${text(label)}</dt><dd>${text(value)}</dd></div>`).join('')}</dl>
</div>
${table(document)}
${totals(document)}
<div class="remarks">${remarks.map((remark) => `<p>${text(remark)}</p>`).join('')}</div>
${relatedDocuments(related)}</main>
</body>
</html>
`
}

const text = (plain: string) => Bun.escapeHTML(plain)
const pounds = (amount: number) => text(formatPoundsAndPence(amount))

const table = ({ lines }: LegalDocument) => `<table role="table" aria-label="What was supplied">
<thead role="rowgroup"><tr role="row">${['Description', 'Quantity', 'Unit price', 'Net', 'VAT rate', 'VAT'].map((head) => `<th role="columnheader" scope="col">${head}</th>`).join('')}</tr></thead>
<tbody role="rowgroup">${lines.map(row).join('\n')}</tbody>
</table>`

const row = ({ description, discount, quantity, unitPrice, net, rate, vat }: DocumentLine) =>
  `<tr role="row"><td role="cell">${text(description)}${discount === null ? '' : `<small>${text(discount)}</small>`}</td>${[
    ['Quantity', text(quantity)],
    ['Unit price', pounds(unitPrice)],
    ['Net', pounds(net)],
    ['VAT rate', `${rate}%`],
    ['VAT', pounds(vat)],
  ]
    .map(([label, cell]) => `<td role="cell" data-l="${label}">${cell}</td>`)
    .join('')}</tr>`

const totals = ({ rates, net, vat, gross }: LegalDocument) => `<dl class="totals">
<div><dt>Total excluding VAT</dt><dd>${pounds(net)}</dd></div>
${rates.map((one) => `<div><dt>VAT at ${one.rate}% on ${pounds(one.net)}</dt><dd>${pounds(one.vat)}</dd></div>`).join('\n')}
<div><dt>Total VAT</dt><dd>${pounds(vat)}</dd></div>
<div class="total"><dt>Total including VAT</dt><dd>${pounds(gross)}</dd></div>
</dl>`

/** What was issued before and after. It changes, so it is no part of the document and is not printed. */
const relatedDocuments = (related: readonly Related[]) =>
  related.length === 0
    ? ''
    : `<section class="since"><h2>Related documents</h2><ul>${related
        .map(({ label, href }) => `<li><a href="${text(href)}">${text(label)}</a></li>`)
        .join('')}</ul></section>\n`

/** The site's own font, from where the build put it. */
const fontFace = (address: string) =>
  `@font-face { font-family: "Archivo"; src: url("${address}") format("woff2"); font-weight: 400 900; font-stretch: 62% 125%; }`

/** The colours are those of the site's tokens; a test compares them. */
const baseCss = `
:root {
  color-scheme: light dark;
  --bench: light-dark(#eceee6, #10110d);
  --sheet: light-dark(#ffffff, #1a1c16);
  --ink: light-dark(#151612, #f2f3ea);
  --ink-2: light-dark(#41443b, #c0c4b6);
  --rule: light-dark(#c9cec2, #3a3e34);
  --hivis: #ffdc00;
  --carbon: light-dark(#173f9e, #a5bdff);
  --focus: light-dark(#173f9e, #ffdc00);
  --copy-yellow: light-dark(#fff1a3, #2d2a0e);
  --copy-pink: light-dark(#ffd8dd, #371d22);
}
@supports not (color: light-dark(#fff, #000)) {
  :root { --bench: #eceee6; --sheet: #fff; --ink: #151612; --ink-2: #41443b; --rule: #c9cec2; --carbon: #173f9e; --focus: #173f9e; --copy-yellow: #fff1a3; --copy-pink: #ffd8dd; }
}
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--bench); color: var(--ink); font: 440 1.125rem/1.5 "Archivo", "Helvetica Neue", Arial, sans-serif; overflow-wrap: anywhere; }
h1, h2, p, dl, dd { margin: 0; }
a { color: var(--carbon); font-weight: 600; text-decoration-thickness: 2px; text-underline-offset: 0.2em; }
a:hover { text-decoration-thickness: 4px; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 3px; }
.bar { color-scheme: dark; background: #151612; --carbon: #f2f3ea; --focus: var(--hivis); }
.bar nav { max-width: 52rem; margin-inline: auto; padding-inline: clamp(1rem, 3vw, 2rem); display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1.5rem; }
.bar a { display: inline-flex; align-items: center; min-height: 3.5rem; }
.sheet { max-width: 52rem; margin: clamp(1rem, 4vw, 3rem) auto 4rem; padding: clamp(1.25rem, 4vw, 3rem); background: var(--sheet); box-shadow: 6px 6px 0 var(--copy-yellow), 12px 12px 0 var(--copy-pink); }
@media (max-width: 54rem) { .sheet { margin-inline: 1rem; margin-inline-end: 1.75rem; } }
.top, .parties { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(16rem, 100%), 1fr)); gap: 1.5rem 3rem; }
.parties { margin-block: 2.25rem; }
h1 { font-size: clamp(2.25rem, 1.6rem + 3vw, 3.25rem); font-weight: 800; font-stretch: 62%; line-height: 0.95; text-transform: uppercase; border-inline-start: 10px solid var(--hivis); padding-inline-start: 0.75rem; align-self: start; }
h2 { font-size: 0.9375rem; font-weight: 640; font-stretch: 116%; color: var(--ink-2); }
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
