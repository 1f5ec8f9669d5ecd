import PDFDocument from 'pdfkit'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { fontFor, hasUnsupportedGlyphs, printable } from './invoice-pdf-fonts.ts'
import type { DocumentLine, LegalDocument } from './legal-document.ts'

type Pdf = InstanceType<typeof PDFDocument>
/** Where text is drawn, and the element that it belongs to: a screen reader announces headings, tables and rows. */
type Place = { pdf: Pdf; parent: ReturnType<Pdf['struct']> }
type Tag = 'H1' | 'H2' | 'P' | 'TH' | 'TD'

const ink = '#151612'
const secondary = '#41443b'
const rule = '#c9cec2'
const hivis = '#ffdc00'

/** Points. A4, with room for a punch and for printers that do not reach the edge. */
const page = { left: 56, right: 539, top: 56, bottom: 778 }
const width = page.right - page.left

type Style = { size?: number; weight?: 'regular' | 'bold'; color?: string; align?: 'left' | 'right'; tag?: Tag }
type Box = { x: number; y: number; width: number }

/** The layout of an invoice or credit note: A4 pages with their fonts embedded. The same document gives the same bytes. */
export async function drawPdf(document: LegalDocument): Promise<Uint8Array<ArrayBuffer>> {
  const pdf = new PDFDocument({
    ...{ size: 'A4', margin: 0, bufferPages: true, lang: 'en-GB', displayTitle: true, tagged: true },
    pdfVersion: '1.7',
    info: {
      Title: `${document.title} ${document.number}`,
      Author: document.seller.name,
      CreationDate: new Date(document.createdAt),
    },
  })
  const chunks: Uint8Array[] = []
  const ended = new Promise<void>((resolve, reject) => {
    pdf.on('data', (chunk: Uint8Array) => chunks.push(chunk))
    pdf.on('end', resolve)
    pdf.on('error', reject)
  })
  drawDocument(pdf, document)
  pdf.end()
  await ended
  return new Uint8Array(Buffer.concat(chunks))
}

function drawDocument(pdf: Pdf, document: LegalDocument): void {
  const root = pdf.struct('Document')
  pdf.addStructure(root)
  const place = { pdf, parent: root }
  let y = drawHead(place, document)
  y = drawParties(place, document, y + 28)
  y = drawLines(place, document, y + 30)
  y = drawTotals(place, document, y)
  drawRemarks(place, document, y + 26)
  drawFooters(pdf, document)
}

function within({ pdf, parent }: Place, type: 'Table' | 'TR'): Place {
  const child = pdf.struct(type)
  parent.add(child)
  return { pdf, parent: child }
}

/** Writes a text in a box; returns where it ends. */
function write({ pdf, parent }: Place, text: string, box: Box, style: Style = {}): number {
  // A child of an element that is part of the document already is drawn at once.
  parent.add(pdf.struct(style.tag ?? 'P', {}, () => drawText(pdf, text, box, style)))
  return pdf.y
}

function drawText(pdf: Pdf, text: string, { x, y, width }: Box, style: Style): void {
  const shown = printable(text)
  setFont(pdf, shown, style)
  pdf.fillColor(style.color ?? ink).text(shown, x, y, { width, align: style.align ?? 'left', lineGap: 2 })
}

/** Decoration, and what every page repeats: screen readers skip it. */
function asDecoration(pdf: Pdf, draw: () => void): void {
  pdf.markContent('Artifact', { type: 'Layout' })
  draw()
  pdf.endMarkedContent()
}

function heightOf(pdf: Pdf, text: string, width: number, style: Style = {}): number {
  const shown = printable(text)
  setFont(pdf, shown, style)
  return pdf.heightOfString(shown, { width, lineGap: 2 })
}

const setFont = (pdf: Pdf, text: string, { size = 10, weight = 'regular' }: Style) =>
  pdf.font(fontFor(text, weight)).fontSize(size)

function line(pdf: Pdf, y: number, thickness: number, color: string = ink): void {
  asDecoration(pdf, () => pdf.rect(page.left, y, width, thickness).fill(color))
}

function drawHead(place: Place, { title, seller }: LegalDocument): number {
  asDecoration(place.pdf, () => place.pdf.rect(page.left, page.top, 10, 34).fill(hivis))
  write(place, title, { x: page.left + 20, y: page.top + 5, width: 240 }, { size: 24, weight: 'bold', tag: 'H1' })
  const box = { x: 330, width: page.right - 330 }
  let y = write(place, seller.name, { ...box, y: page.top }, { weight: 'bold', size: 11 })
  y = write(place, seller.address, { ...box, y: y + 2 })
  return write(place, `VAT registration number ${seller.vatNumber}`, { ...box, y: y + 2 })
}

/** The customer on the left, number and dates on the right. */
function drawParties(place: Place, { customer, details }: LegalDocument, top: number): number {
  const left = { x: page.left, width: 244 }
  let y = write(place, 'Customer', { ...left, y: top }, { size: 9, color: secondary, tag: 'H2' })
  const name = printable(customer.name) || 'Name: see the page of this document'
  y = write(place, name, { ...left, y: y + 2 }, { weight: 'bold', size: 11 })
  for (const part of [customer.businessName, ...(customer.address ?? '').split('\n')]) {
    if (part && printable(part)) y = write(place, part, { ...left, y: y + 1 })
  }
  let detailY = top
  for (const { label, value } of details) {
    const after = write(place, label, { x: 330, y: detailY, width: page.right - 330 }, { size: 9, color: secondary })
    detailY = write(place, value, { x: 330, y: after, width: page.right - 330 }, { weight: 'bold' }) + 5
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

/** Further pages repeat the heads as decoration. */
function drawColumnHeads({ pdf }: Place, y: number, row?: Place): number {
  for (const { title, x, width, ...rest } of columns) {
    const style = { size: 9, color: secondary, weight: 'bold', tag: 'TH', ...rest } as const
    if (row) write(row, title, { x, y, width }, style)
    else asDecoration(pdf, () => drawText(pdf, title, { x, y, width }, style))
  }
  line(pdf, y + 17, 2)
  return y + 19
}

function drawLines(place: Place, { lines }: LegalDocument, top: number): number {
  const { pdf } = place
  const table = within(place, 'Table')
  let y = drawColumnHeads(place, roomFor(pdf, top, 60), within(table, 'TR'))
  for (const one of lines) {
    const row = within(table, 'TR')
    const description = one.discount === null ? one.description : `${one.description}\n${one.discount}`
    const height = heightOf(pdf, description, columns[0].width) + 16
    if (y + height > page.bottom) y = drawColumnHeads(place, newPage(pdf))
    for (const [at, text] of [description, ...cellsOf(one)].entries()) {
      const column = columns[at]
      if (column === undefined) continue
      const { x, width, title: _title, ...rest } = column
      write(row, text, { x, y: y + 8, width }, { tag: 'TD', ...rest })
    }
    y += height
    line(pdf, y, 0.75, rule)
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

/** Net, VAT by rate, total: in that order, and never split over two pages. */
function drawTotals(place: Place, { rates, net, vat, gross }: LegalDocument, top: number): number {
  const rows = [
    ['Total excluding VAT', formatPoundsAndPence(net)],
    ...rates.map((one) => [`VAT at ${one.rate}% on ${formatPoundsAndPence(one.net)}`, formatPoundsAndPence(one.vat)]),
    ['Total VAT', formatPoundsAndPence(vat)],
  ]
  const { pdf } = place
  const table = within(place, 'Table')
  let y = roomFor(pdf, top, rows.length * 19 + 60) + 10
  for (const [label = '', amount = ''] of rows) {
    const row = within(table, 'TR')
    write(row, label, { x: 254, y, width: 186 }, { tag: 'TH' })
    write(row, amount, { x: 440, y, width: 99 }, { align: 'right', tag: 'TD' })
    y += 19
  }
  asDecoration(pdf, () => pdf.rect(254, y + 2, page.right - 254, 3).fill(ink))
  const row = within(table, 'TR')
  write(row, 'Total including VAT', { x: 254, y: y + 15, width: 150 }, { weight: 'bold', size: 11, tag: 'TH' })
  const total = { size: 17, weight: 'bold', align: 'right', tag: 'TD' } as const
  write(row, formatPoundsAndPence(gross), { x: 390, y: y + 11, width: 149 }, total)
  return y + 36
}

function drawRemarks(place: Place, document: LegalDocument, top: number): void {
  let y = top
  for (const remark of [...document.remarks, ...unsupportedGlyphsRemark(document)]) {
    y = roomFor(place.pdf, y, heightOf(place.pdf, remark, width, { size: 9.5 }))
    y = write(place, remark, { x: page.left, y, width }, { size: 9.5, color: secondary }) + 3
  }
}

/** The fonts cover most of the world's scripts, but not all. */
function unsupportedGlyphsRemark({ customer, lines }: LegalDocument): string[] {
  const { name, businessName, address } = customer
  const typed = [name, businessName, address, ...lines.map(({ description }) => description)]
  const isIncomplete = typed.some((text) => text && hasUnsupportedGlyphs(text))
  return isIncomplete ? ['Some letters cannot be printed in this file. The page of this document shows them.'] : []
}

const roomFor = (pdf: Pdf, y: number, height: number) => (y + height > page.bottom ? newPage(pdf) : y)

function newPage(pdf: Pdf): number {
  pdf.addPage()
  return page.top
}

function drawFooters(pdf: Pdf, { title, number, seller }: LegalDocument): void {
  const { count } = pdf.bufferedPageRange()
  for (let at = 0; at < count; at += 1) {
    pdf.switchToPage(at)
    line(pdf, 794, 0.75, rule)
    const style = { size: 8.5, color: secondary } as const
    const foot = { y: 801, width: 380 }
    asDecoration(pdf, () => drawText(pdf, `${seller.name}: ${title} ${number}`, { ...foot, x: page.left }, style))
    const right = { ...style, align: 'right' } as const
    asDecoration(pdf, () => drawText(pdf, `Page ${at + 1} of ${count}`, { x: 440, y: 801, width: 99 }, right))
  }
}
