import { itemLine } from '#api/stripe/sandbox/billing/invoice-lines.ts'
import { allObjects } from '#api/stripe/sandbox/http/lists.ts'
import type { Invoice, InvoiceLine } from '#api/stripe/sandbox/store/billing-objects.ts'
import { saveObject } from '#api/stripe/sandbox/store/store.ts'
import type { Work } from '#api/stripe/sandbox/store/work.ts'

/** Charges that waited for the customer's next invoice in their currency: this is it. */
export function takePendingItems(work: Work, invoice: Invoice): InvoiceLine[] {
  return allObjects(work, 'invoiceitem', { customer: invoice.customer, currency: invoice.currency, invoice: null })
    .reverse()
    .map((item) => itemLine(invoice, saveObject(work.store, { ...item, invoice: invoice.id })))
}
