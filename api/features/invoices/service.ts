import type { Context } from '#api/context.ts'
import { isHisCustomer } from '#api/db/whose.ts'
import type { Related } from '#api/documents/invoice-page.ts'
import { notFound } from '#api/errors.ts'
import type { Person } from '#api/http/session.ts'
import { type DocumentRef, type FoundDocument, findDocument } from './document-service.ts'
import { pathOf } from './list-queries.ts'
import type { InvoiceRow } from './particulars-rules.ts'

/** A document for its own member or an owner; to everybody else there is none. */
export function openDocument(ctx: Context, person: Person, ref: DocumentRef): FoundDocument {
  const found = findDocument(ctx, ref)
  if (found === null || !(person.isAdmin || isHis(ctx, person, found))) throw notFound('This document')
  return found
}

const isHis = (ctx: Context, { id }: Person, { customerId }: FoundDocument): boolean =>
  ctx.sqlite
    .prepare(`select 1 from customers where id = @customerId and ${isHisCustomer('@id')}`)
    .get({ customerId, id }) !== undefined

export type PdfFile = { fileName: string; bytes: Uint8Array<ArrayBuffer> }

/** A document as it goes with a mail; null where there is none of that id. */
export async function documentPdf(ctx: Context, ref: DocumentRef): Promise<PdfFile | null> {
  const found = findDocument(ctx, ref)
  return found === null ? null : pdfOf(found)
}

export async function pdfOf({ document }: FoundDocument): Promise<PdfFile> {
  // What draws it is large, and only wanted here.
  const { drawPdf } = await import('#api/documents/invoice-pdf.ts')
  const kind = document.title === 'VAT invoice' ? 'invoice' : 'credit-note'
  return { fileName: `${kind}-${document.number}.pdf`, bytes: await drawPdf(document) }
}

type Neighbour = { id: string; number: string }

/** The documents that belong with this one, both ways: what it replaces, what replaced it, what took it back. */
export function relatedTo(ctx: Context, ref: DocumentRef, invoice: InvoiceRow): Related[] {
  const link = (label: string, kind: DocumentRef['kind']) => (row: Neighbour) => ({
    label: `${label} ${row.number}`,
    href: pathOf({ kind, id: row.id }),
  })
  const find = (sql: string, id: string | null) => ctx.sqlite.prepare<[string | null], Neighbour>(sql).all(id)
  const replacedBy = find('select id, number from invoices where replacesId = ?', invoice.id)
  if (ref.kind === 'credit_note') {
    return [link('Invoice', 'invoice')(invoice), ...replacedBy.map(link('Replaced by invoice', 'invoice'))]
  }
  return [
    ...find('select id, number from invoices where id = ?', invoice.replacesId).map(
      link('Replaces invoice', 'invoice'),
    ),
    ...find('select id, number from credit_notes where invoiceId = ? order by sequence', invoice.id).map(
      link('Credit note', 'credit_note'),
    ),
    ...replacedBy.map(link('Replaced by invoice', 'invoice')),
  ]
}
