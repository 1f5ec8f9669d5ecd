import { formatMoney } from '#api/sandbox/billing/invoice-lines.ts'
import type { CreditNote, Invoice } from '#api/sandbox/store/billing-objects.ts'
import { invoiceRows, statusText } from './invoice-page.ts'
import { formatDay } from './layout.ts'

type Row = [text: string, right?: string]

const topEdge = 780
const lineHeight = 20
const rightEdge = 545
/** Courier's letters are 0.6 of the font size wide, so right-aligning amounts needs no table of widths. */
const fontSize = 10
const charWidth = fontSize * 0.6

/** Latin 1, which equals the PDF's WinAnsi encoding for these characters. */
function literal(text: string): string {
  const latin = text.replace(/[^\u0020-\u007e\u00a0-\u00ff]/g, '?')
  return `(${latin.replace(/[\\()]/g, (sign) => `\\${sign}`)})`
}

function textAt(x: number, y: number, text: string): string {
  return `BT /F1 ${fontSize} Tf ${x.toFixed(1)} ${y} Td ${literal(text)} Tj ET\n`
}

function contentOf(rows: Row[]): string {
  return rows
    .map(([text, right], index) => {
      const y = topEdge - index * lineHeight
      return textAt(50, y, text) + (right === undefined ? '' : textAt(rightEdge - right.length * charWidth, y, right))
    })
    .join('')
}

function writePdf(rows: Row[]): Uint8Array<ArrayBuffer> {
  const content = contentOf(rows)
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Resources << /Font << /F1 4 0 R >> >> >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>',
    `<< /Length ${content.length} >>\nstream\n${content}endstream`,
  ]
  const parts = ['%PDF-1.4\n']
  const offsets: number[] = []
  for (const [index, object] of objects.entries()) {
    offsets.push(parts.join('').length)
    parts.push(`${index + 1} 0 obj\n${object}\nendobj\n`)
  }
  const start = parts.join('').length
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  parts.push(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`)
  parts.push(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`)
  return Uint8Array.from(parts.join(''), (sign) => sign.charCodeAt(0))
}

function pdfResponse(rows: Row[], name: string): Response {
  return new Response(writePdf(rows), {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': `inline; filename="${name}.pdf"`,
      'Cache-Control': 'no-store',
    },
  })
}

export function invoicePdf(invoice: Invoice): Response {
  const to = invoice.customer_name ?? invoice.customer_email ?? ''
  return pdfResponse(
    [
      [`Invoice ${invoice.number ?? ''}`],
      ['Sandbox Ltd', formatDay(invoice.effective_at ?? invoice.created)],
      [`To ${to}`],
      [''],
      ...invoiceRows(invoice),
      [''],
      [statusText(invoice)],
    ],
    `invoice-${invoice.number ?? invoice.id}`,
  )
}

export function creditNotePdf(note: CreditNote): Response {
  return pdfResponse(
    [
      [`Credit note ${note.number}`],
      ['Sandbox Ltd', formatDay(note.created)],
      [''],
      ...note.lines.data.map((line): Row => [line.description ?? '', formatMoney(line.amount, note.currency)]),
      ['Total', formatMoney(note.total, note.currency)],
      [note.status === 'void' ? 'Void' : ''],
    ],
    `credit-note-${note.number}`,
  )
}
