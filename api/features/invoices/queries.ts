import { and, asc, eq, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { invoices } from '#api/db/schema/invoices.ts'
import type { InvoiceRow } from './particulars-rules.ts'

const isNewest = sql`not exists (select 1 from invoices newer where newer.replacesId = invoices.id)`

/** The invoice of a payment, or what replaced it last. */
export const newestInvoice = (ctx: Context, providerInvoiceId: string): InvoiceRow | undefined =>
  ctx.db
    .select()
    .from(invoices)
    .where(and(eq(invoices.providerInvoiceId, providerInvoiceId), isNewest))
    .get()

/** The same for every payment of a customer, in the order of issue. */
export const newestInvoices = (ctx: Context, customerId: string): InvoiceRow[] =>
  ctx.db
    .select()
    .from(invoices)
    .where(and(eq(invoices.customerId, customerId), isNewest))
    .orderBy(asc(invoices.sequence))
    .all()

/** Taken back because an owner had it removed. */
export const isRemoved = (ctx: Context, { id }: { id: string }): boolean =>
  ctx.sqlite.prepare(`select 1 from credit_notes where invoiceId = ? and kind = 'removal'`).get(id) !== undefined
