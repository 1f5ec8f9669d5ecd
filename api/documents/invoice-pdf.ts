import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { hasUnsupportedGlyphs, printable } from './invoice-pdf-fonts.ts'
import type { DocumentLine, LegalDocument } from './legal-document.ts'
import {
  asDecoration,
  type Canvas,
  drawLine,
  drawPages,
  drawText,
  drawTitleBar,
  type Head,
  heightOf,
  ink,
  newPage,
  openElement,
  page,
  roomFor,
  rule,
  secondary,
  width,
  writeText,
} from './pdf-page.ts'

/** Draws an invoice or credit note. The same document and logo always give the same bytes. */
export const drawPdf = (document: LegalDocument, logo: Head['logo'] = null): Promise<Uint8Array<ArrayBuffer>> =>
  drawPages(
    {
      title: `${document.title} ${document.number}`,
      author: document.seller.name,
      createdAt: document.createdAt,
      foot: `${document.seller.name}: ${document.title} ${document.number}`,
    },
    (canvas) => {
      let y = drawHead(canvas, document, logo)
      y = drawParties(canvas, document, y + 28)
      y = drawLines(canvas, document, y + 30)
      y = drawTotals(canvas, document, y)
      drawRemarks(canvas, document, y + 26)
    },
  )

function drawHead(canvas: Canvas, { title, seller }: LegalDocument, logo: Head['logo']): number {
  const x = drawTitleBar(canvas, { accent: seller.accent, logo })
  writeText(canvas, title, { x, y: page.top + 5, width: 324 - x }, { size: 24, weight: 'bold', tag: 'H1' })
  const box = { x: 330, width: page.right - 330 }
  let y = writeText(canvas, seller.name, { ...box, y: page.top }, { weight: 'bold', size: 11 })
  y = writeText(canvas, seller.address, { ...box, y: y + 2 })
  return writeText(canvas, `VAT registration number ${seller.vatNumber}`, { ...box, y: y + 2 })
}

function drawParties(canvas: Canvas, { customer, details }: LegalDocument, top: number): number {
  const left = { x: page.left, width: 244 }
  let y = writeText(canvas, 'Customer', { ...left, y: top }, { size: 9, color: secondary, tag: 'H2' })
  const name = printable(customer.name) || 'Name: see this document on our site'
  y = writeText(canvas, name, { ...left, y: y + 2 }, { weight: 'bold', size: 11 })
  for (const part of [customer.businessName, ...(customer.address ?? '').split('\n')]) {
    if (part && printable(part)) y = writeText(canvas, part, { ...left, y: y + 1 })
  }
  let detailY = top
  for (const { label, value } of details) {
    const after = writeText(
      canvas,
      label,
      { x: 330, y: detailY, width: page.right - 330 },
      { size: 9, color: secondary },
    )
    detailY = writeText(canvas, value, { x: 330, y: after, width: page.right - 330 }, { weight: 'bold' }) + 5
  }
  return Math.max(y, detailY)
}

const columns = [
  { title: 'Description', x: page.left, width: 164 },
  { title: 'Quantity', x: 224, width: 50, align: 'right' },
  { title: 'Unit price', x: 278, width: 71, align: 'right' },
  { title: 'Net', x: 353, width: 71, align: 'right' },
  { title: 'VAT rate', x: 426, width: 42, align: 'right' },
  { title: 'VAT', x: 470, width: 69, align: 'right' },
] as const

/** Later pages repeat the column heads as decoration. */
function drawColumnHeads({ pdf }: Canvas, y: number, row?: Canvas): number {
  for (const { title, x, width, ...rest } of columns) {
    const style = { size: 9, color: secondary, weight: 'bold', tag: 'TH', ...rest } as const
    if (row) writeText(row, title, { x, y, width }, style)
    else asDecoration(pdf, () => drawText(pdf, title, { x, y, width }, style))
  }
  drawLine(pdf, y + 17, 2)
  return y + 19
}

function drawLines(canvas: Canvas, { lines }: LegalDocument, top: number): number {
  const { pdf } = canvas
  const table = openElement(canvas, 'Table')
  let y = drawColumnHeads(canvas, roomFor(pdf, top, 60), openElement(table, 'TR'))
  for (const one of lines) {
    const row = openElement(table, 'TR')
    const description = one.discount === null ? one.description : `${one.description}\n${one.discount}`
    const height = heightOf(pdf, description, columns[0].width) + 16
    if (y + height > page.bottom) y = drawColumnHeads(canvas, newPage(pdf))
    for (const [at, text] of [description, ...cellsOf(one)].entries()) {
      const column = columns[at]
      if (column === undefined) continue
      const { x, width, title: _title, ...rest } = column
      writeText(row, text, { x, y: y + 8, width }, { tag: 'TD', ...rest })
    }
    y += height
    drawLine(pdf, y, 0.75, rule)
  }
  return y
}

const cellsOf = ({ quantity, unitPrice, net, rate, vat }: DocumentLine): string[] => [
  quantity,
  formatPoundsAndPence(unitPrice),
  formatPoundsAndPence(net),
  `${rate}%`,
  formatPoundsAndPence(vat),
]

/** Net, VAT by rate and total, in that order and on one page. */
function drawTotals(canvas: Canvas, { rates, net, vat, gross }: LegalDocument, top: number): number {
  const rows = [
    ['Total excluding VAT', formatPoundsAndPence(net)],
    ...rates.map((one) => [`VAT at ${one.rate}% on ${formatPoundsAndPence(one.net)}`, formatPoundsAndPence(one.vat)]),
    ['Total VAT', formatPoundsAndPence(vat)],
  ]
  const { pdf } = canvas
  const table = openElement(canvas, 'Table')
  let y = roomFor(pdf, top, rows.length * 19 + 60) + 10
  for (const [label = '', amount = ''] of rows) {
    const row = openElement(table, 'TR')
    writeText(row, label, { x: 254, y, width: 186 }, { tag: 'TH' })
    writeText(row, amount, { x: 440, y, width: 99 }, { align: 'right', tag: 'TD' })
    y += 19
  }
  asDecoration(pdf, () => pdf.rect(254, y + 2, page.right - 254, 3).fill(ink))
  const row = openElement(table, 'TR')
  writeText(row, 'Total including VAT', { x: 254, y: y + 15, width: 150 }, { weight: 'bold', size: 11, tag: 'TH' })
  const total = { size: 17, weight: 'bold', align: 'right', tag: 'TD' } as const
  writeText(row, formatPoundsAndPence(gross), { x: 390, y: y + 11, width: 149 }, total)
  return y + 36
}

function drawRemarks(canvas: Canvas, document: LegalDocument, top: number): void {
  let y = top
  for (const remark of [...document.remarks, ...unsupportedGlyphsRemark(document)]) {
    y = roomFor(canvas.pdf, y, heightOf(canvas.pdf, remark, width, { size: 9.5 }))
    y = writeText(canvas, remark, { x: page.left, y, width }, { size: 9.5, color: secondary }) + 3
  }
}

/** The fonts cover most scripts, but not all. */
function unsupportedGlyphsRemark({ customer, lines }: LegalDocument): string[] {
  const { name, businessName, address } = customer
  const typed = [name, businessName, address, ...lines.map(({ description }) => description)]
  const isIncomplete = typed.some((text) => text && hasUnsupportedGlyphs(text))
  return isIncomplete ? ['This PDF can’t show some letters. The same document on our site does.'] : []
}
