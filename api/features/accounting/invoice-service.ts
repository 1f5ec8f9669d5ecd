import { eq, or } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { userIdOfCustomer } from '#api/db/customers.ts'
import { transact } from '#api/db/open.ts'
import { preparedQuery } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { invoices } from '#api/db/schema/invoices.ts'
import { AppError, notFound } from '#api/errors.ts'
import { documentPdf, type PdfFile } from '#api/features/invoices/document-service.ts'
import {
  creditedAmounts,
  creditNotesOf,
  type InvoiceRow,
  invoiceById,
  isRemoved,
  paymentOf,
  replacementOf,
} from '#api/features/invoices/queries.ts'
import { replaceInvoice } from '#api/features/invoices/reissue-service.ts'
import type { Owner } from '#api/identity/person.ts'
import type { CreditInvoiceRequest, CreditInvoiceResponse, InvoiceDetail } from '#shared/contract/accounting.ts'
import { remainingAmounts } from '#shared/rules/credit-note.ts'
import { problemsOfInvoice } from './lint-service.ts'

const byRef = preparedQuery<{ ref: string }>()((db, { ref }) =>
  db
    .select({ invoice: invoices, memberId: userIdOfCustomer() })
    .from(invoices)
    .leftJoin(customers, eq(customers.id, invoices.customerId))
    .where(or(eq(invoices.id, ref), eq(invoices.number, ref))),
)

function findInvoice(ctx: Context, ref: string) {
  const found = byRef.get(ctx, { ref }) ?? byRef.get(ctx, { ref: ref.toUpperCase() })
  if (found === undefined) throw notFound('This invoice')
  return found
}

export function invoiceDetail(ctx: Context, ref: string): InvoiceDetail {
  const { invoice, memberId } = findInvoice(ctx, ref)
  const { id, number, issuedOn, taxPoint, seller, customer, lines, net, vat, gross } = invoice
  return {
    id,
    number,
    memberId,
    issuedOn,
    taxPoint,
    net,
    vat,
    gross,
    seller: { name: seller.name, address: seller.address, vatNumber: seller.vatNumber },
    customer: { name: customer.name, businessName: customer.businessName ?? null, address: customer.address },
    lines: lines.map(({ description, quantity, unitPrice, net, rate, vat }) => ({
      description,
      quantity,
      unitPrice,
      net,
      rate,
      vat,
    })),
    credited: creditedAmounts(ctx, id),
    payment: invoice.providerInvoiceId,
    replaces:
      invoice.replacesId === null ? invoice.takesPlaceOf : (invoiceById(ctx, invoice.replacesId)?.number ?? null),
    replacedBy: replacementOf(ctx, invoice)?.number ?? null,
    creditNotes: creditNotesOf(ctx, invoice).map((note) => note.number),
    problems: replacementOf(ctx, invoice) === undefined ? problemsOfInvoice(ctx, invoice.sequence) : [],
  }
}

export async function invoicePdf(ctx: Context, ref: string): Promise<PdfFile> {
  const pdf = await documentPdf(ctx, { kind: 'invoice', id: findInvoice(ctx, ref).invoice.id })
  if (pdf === null) throw notFound('This invoice')
  return pdf
}

/** Credits what's left of an invoice and reissues it with today's particulars. Moves no money. */
export function creditInvoice(
  ctx: Context,
  { actor }: Owner,
  { ref, reason, dryRun }: CreditInvoiceRequest & { ref: string },
): CreditInvoiceResponse {
  return transact(ctx, () => {
    const { invoice, memberId } = findInvoice(ctx, ref)
    const credited = assertCreditable(ctx, invoice)
    if (dryRun) return { number: invoice.number, credited, creditNote: null, replacedBy: null, dryRun }
    if (paymentOf(ctx, invoice) === undefined)
      throw new AppError('conflict', 'We don’t know this invoice’s payment, so we can’t issue it again.')
    const replacedBy = replaceInvoice(ctx, invoice, reason)?.number ?? null
    const creditNote = creditNotesOf(ctx, invoice).at(-1)?.number ?? null
    const detail = { number: invoice.number, creditNote, replacedBy, reason }
    audit(ctx, actor, 'invoice.credited', { targetId: memberId, detail })
    return { number: invoice.number, credited, creditNote, replacedBy, dryRun }
  })
}

function assertCreditable(ctx: Context, invoice: InvoiceRow) {
  const replacement = replacementOf(ctx, invoice)
  if (replacement !== undefined) throw new AppError('conflict', `${replacement.number} has already replaced it.`)
  if (isRemoved(ctx, invoice))
    throw new AppError('conflict', 'It’s already credited. "alliance invoices fix" issues it again.')
  const remaining = remainingAmounts(invoice, creditedAmounts(ctx, invoice.id))
  if (remaining.gross === 0) throw new AppError('conflict', 'It’s fully refunded, so there’s nothing left to credit.')
  return remaining
}
