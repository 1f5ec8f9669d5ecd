import { itemLine } from '#api/sandbox/billing/invoice-lines.ts'
import { allObjects } from '#api/sandbox/http/lists.ts'
import type { Invoice, InvoiceLine } from '#api/sandbox/store/billing-objects.ts'
import { saveObject } from '#api/sandbox/store/store.ts'
import type { Work } from '#api/sandbox/store/work.ts'

/** Charges that waited for the customer's next invoice in their currency: this is it. */
export function takePendingItems(work: Work, invoice: Invoice): InvoiceLine[] {
  return allObjects(work, 'invoiceitem', { customer: invoice.customer, currency: invoice.currency, invoice: null })
    .reverse()
    .map((item) => itemLine(invoice, saveObject(work.store, { ...item, invoice: invoice.id })))
}
