import { createHash } from 'node:crypto'
import type { DocumentLine, LegalDocument } from '#api/features/invoices/document-service.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { pageStyle } from './invoice-page-style.ts'

/** Another document that this one has to do with. */
export type Related = { label: string; href: string }

export type PageParts = { document: LegalDocument; pdfHref: string; related: readonly Related[] }

export type PageFrame = { style: string; policy: string }

/**
 * The page's style, and a content policy for it alone: the one style by its hash, the font from here, and nothing else.
 * `font` is the address of the site's face, null where the site is not built.
 */
export function pageFrame(font: string | null): PageFrame {
  const style = pageStyle(font)
  const hash = createHash('sha256').update(style).digest('base64')
  const policy = [
    ...[`default-src 'none'`, `style-src 'sha256-${hash}'`, `font-src 'self'`, `img-src 'self'`],
    ...[`base-uri 'none'`, `form-action 'none'`, `frame-ancestors 'none'`],
  ]
  return { style, policy: policy.join('; ') }
}

/** A page that is read and printed without a script. All that people typed is escaped here. */
export function documentPage({ style }: PageFrame, { document, pdfHref, related }: PageParts): string {
  const { title, number, facts, seller, customer, remarks } = document
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>${text(`${title} ${number}`)}</title>
<style>${style}</style>
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
<dl class="facts">${facts.map(({ label, value }) => `<div><dt>${text(label)}</dt><dd>${text(value)}</dd></div>`).join('')}</dl>
</div>
${table(document)}
${totals(document)}
<div class="remarks">${remarks.map((remark) => `<p>${text(remark)}</p>`).join('')}</div>
${since(related)}</main>
</body>
</html>
`
}

const text = (words: string) => Bun.escapeHTML(words)
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

/** What was issued before and after: it changes, so it is no part of the document and is not printed. */
const since = (related: readonly Related[]) =>
  related.length === 0
    ? ''
    : `<section class="since"><h2>Related documents</h2><ul>${related
        .map(({ label, href }) => `<li><a href="${text(href)}">${text(label)}</a></li>`)
        .join('')}</ul></section>\n`
