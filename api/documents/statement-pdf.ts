import { formatPoundsAndPence, type Pence } from '#shared/rules/money.ts'
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

type Sum = { label: string; amount: Pence }

export type StatementDocument = {
  kind: 'statement'
  /** Includes the month. */
  title: string
  seller: string
  /** The brand's accent when it was drawn. */
  accent: string
  /** Below the title: whose account it is, and whether it can still change. */
  remarks: string[]
  sums: Sum[]
  closing: Sum
  /** Cells in column order; null for a page of sums alone. */
  lines: string[][] | null
  /** ISO-8601 UTC. */
  createdAt: string
}

export const drawStatement = (
  document: StatementDocument,
  logo: Head['logo'] = null,
): Promise<Uint8Array<ArrayBuffer>> =>
  drawPages(
    {
      title: document.title,
      author: document.seller,
      createdAt: document.createdAt,
      foot: `${document.seller}: ${document.title}`,
    },
    (canvas) => {
      const y = drawSums(canvas, document, drawHead(canvas, document, logo) + 22)
      drawLines(canvas, document, y + 30)
    },
  )

function drawHead(canvas: Canvas, { title, remarks, accent }: StatementDocument, logo: Head['logo']): number {
  const x = drawTitleBar(canvas, { accent, logo })
  const box = { x, width: page.right - x }
  let y = writeText(canvas, title, { ...box, y: page.top + 5 }, { size: 20, weight: 'bold', tag: 'H1' }) + 6
  for (const remark of remarks) y = writeText(canvas, remark, { ...box, y }, { color: secondary })
  return y
}

function drawSums(canvas: Canvas, { sums, closing }: StatementDocument, top: number): number {
  const table = openElement(canvas, 'Table')
  const drawSum = ({ label, amount }: Sum, y: number, style: { weight?: 'bold'; size?: number }) => {
    const row = openElement(table, 'TR')
    writeText(row, label, { x: page.left, y, width: 300 }, { ...style, tag: 'TH' })
    writeText(row, formatPoundsAndPence(amount), { x: 400, y, width: 139 }, { ...style, align: 'right', tag: 'TD' })
  }
  let y = top
  for (const sum of sums) {
    drawSum(sum, y, {})
    y += 19
  }
  asDecoration(canvas.pdf, () => canvas.pdf.rect(page.left, y + 2, width, 3).fill(ink))
  drawSum(closing, y + 13, { weight: 'bold', size: 12 })
  return y + 34
}

const columns = [
  { title: 'What', x: page.left, width: 165 },
  { title: 'Booked', x: 226, width: 84 },
  { title: 'Net', x: 312, width: 60, align: 'right' },
  { title: 'Rate', x: 374, width: 32, align: 'right' },
  { title: 'Commission', x: 408, width: 62, align: 'right' },
  { title: 'Due', x: 476, width: 63, align: 'right' },
] as const

function drawColumnHeads({ pdf }: Canvas, y: number, row?: Canvas): number {
  for (const { title, x, width, ...rest } of columns) {
    const style = { size: 8.5, color: secondary, weight: 'bold', tag: 'TH', ...rest } as const
    if (row) writeText(row, title, { x, y, width }, style)
    else asDecoration(pdf, () => drawText(pdf, title, { x, y, width }, style))
  }
  drawLine(pdf, y + 16, 2)
  return y + 18
}

function drawLines(canvas: Canvas, { lines }: StatementDocument, top: number): void {
  if (lines === null) return
  if (lines.length === 0) {
    writeText(canvas, 'Nothing was booked in this month.', { x: page.left, y: top, width }, { color: secondary })
    return
  }
  const { pdf } = canvas
  const table = openElement(canvas, 'Table')
  let y = drawColumnHeads(canvas, roomFor(pdf, top, 60), openElement(table, 'TR'))
  for (const cells of lines) {
    const row = openElement(table, 'TR')
    const height = heightOf(pdf, cells[0] ?? '', columns[0].width, { size: 8.5 }) + 9
    if (y + height > page.bottom) y = drawColumnHeads(canvas, newPage(pdf))
    for (const [at, { x, width, title: _title, ...rest }] of columns.entries())
      writeText(row, cells[at] ?? '', { x, y: y + 5, width }, { size: 8.5, tag: 'TD', ...rest })
    y += height
    drawLine(pdf, y, 0.75, rule)
  }
}
