import PDFDocument from 'pdfkit'
import { fontFor, printable } from './invoice-pdf-fonts.ts'

type Pdf = InstanceType<typeof PDFDocument>
/** Where text is drawn, and its structure element: screen readers announce headings, tables and rows. */
export type Canvas = { pdf: Pdf; parent: ReturnType<Pdf['struct']> }
type Tag = 'H1' | 'H2' | 'P' | 'TH' | 'TD'

export const ink = '#151612'
export const secondary = '#41443b'
export const rule = '#c9cec2'
const hivis = '#ffdc00'

/** What's drawn before a title: the issuing brand's accent, and its logo as a square PNG if it has one. */
export type Head = { accent?: string | undefined; logo: Uint8Array | null }

/** Draws the bar and logo. Returns where the title begins. */
export function drawTitleBar({ pdf }: Canvas, { accent = hivis, logo }: Head): number {
  asDecoration(pdf, () => {
    pdf.rect(page.left, page.top, 10, 34).fill(accent)
    if (logo !== null) pdf.image(Buffer.from(logo), page.left + 16, page.top, { width: 34, height: 34 })
  })
  return page.left + (logo === null ? 20 : 60)
}

/** Points. A4 with room for a hole punch, and for printers that don't reach the edge. */
export const page = { left: 56, right: 539, top: 56, bottom: 778 }
export const width = page.right - page.left

type Style = { size?: number; weight?: 'regular' | 'bold'; color?: string; align?: 'left' | 'right'; tag?: Tag }
type Box = { x: number; y: number; width: number }

type DocumentFacts = {
  title: string
  author: string
  /** ISO-8601 UTC. */
  createdAt: string
  foot: string
}

/** A4 pages with embedded fonts. The same drawing always gives the same bytes. */
export async function drawPages(
  { title, author, createdAt, foot }: DocumentFacts,
  draw: (canvas: Canvas) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const pdf = new PDFDocument({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    lang: 'en-GB',
    displayTitle: true,
    tagged: true,
    pdfVersion: '1.7',
    info: { Title: title, Author: author, CreationDate: new Date(createdAt) },
  })
  const chunks: Uint8Array[] = []
  const ended = new Promise<void>((resolve, reject) => {
    pdf.on('data', (chunk: Uint8Array) => chunks.push(chunk))
    pdf.on('end', resolve)
    pdf.on('error', reject)
  })
  const root = pdf.struct('Document')
  pdf.addStructure(root)
  draw({ pdf, parent: root })
  drawFooters(pdf, foot)
  pdf.end()
  await ended
  return new Uint8Array(Buffer.concat(chunks))
}

export function openElement({ pdf, parent }: Canvas, type: 'Table' | 'TR'): Canvas {
  const child = pdf.struct(type)
  parent.add(child)
  return { pdf, parent: child }
}

export function writeText({ pdf, parent }: Canvas, text: string, box: Box, style: Style = {}): number {
  // A child of an element that's already in the document is drawn immediately.
  parent.add(pdf.struct(style.tag ?? 'P', {}, () => drawText(pdf, text, box, style)))
  return pdf.y
}

export function drawText(pdf: Pdf, text: string, { x, y, width }: Box, style: Style): void {
  const shown = printable(text)
  setFont(pdf, shown, style)
  pdf.fillColor(style.color ?? ink).text(shown, x, y, { width, align: style.align ?? 'left', lineGap: 2 })
}

/** Decoration and repeated parts, which screen readers skip. */
export function asDecoration(pdf: Pdf, draw: () => void): void {
  pdf.markContent('Artifact', { type: 'Layout' })
  draw()
  pdf.endMarkedContent()
}

export function heightOf(pdf: Pdf, text: string, width: number, style: Style = {}): number {
  const shown = printable(text)
  setFont(pdf, shown, style)
  return pdf.heightOfString(shown, { width, lineGap: 2 })
}

const setFont = (pdf: Pdf, text: string, { size = 10, weight = 'regular' }: Style) =>
  pdf.font(fontFor(text, weight)).fontSize(size)

export function drawLine(pdf: Pdf, y: number, thickness: number, color: string = ink): void {
  asDecoration(pdf, () => pdf.rect(page.left, y, width, thickness).fill(color))
}

export const roomFor = (pdf: Pdf, y: number, height: number) => (y + height > page.bottom ? newPage(pdf) : y)

export function newPage(pdf: Pdf): number {
  pdf.addPage()
  return page.top
}

function drawFooters(pdf: Pdf, foot: string): void {
  const { count } = pdf.bufferedPageRange()
  for (let at = 0; at < count; at += 1) {
    pdf.switchToPage(at)
    drawLine(pdf, 794, 0.75, rule)
    const style = { size: 8.5, color: secondary } as const
    asDecoration(pdf, () => drawText(pdf, foot, { x: page.left, y: 801, width: 380 }, style))
    const right = { ...style, align: 'right' } as const
    asDecoration(pdf, () => drawText(pdf, `Page ${at + 1} of ${count}`, { x: 440, y: 801, width: 99 }, right))
  }
}
