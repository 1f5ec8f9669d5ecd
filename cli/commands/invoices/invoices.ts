import { registersRows } from '#cli/rows.ts'
import { invoiceCreditRows } from './credits.ts'
import { invoiceDocumentRows } from './documents.ts'
import { invoiceListRows } from './list.ts'
import { invoiceNumberRows } from './numbers.ts'

export const invoiceRows = [...invoiceListRows, ...invoiceDocumentRows, ...invoiceCreditRows, ...invoiceNumberRows]

export const registerInvoices = registersRows(invoiceRows)
