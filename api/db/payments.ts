import { and, gt, type SQL } from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { isOneOf } from './expressions.ts'
import { type paymentStatuses, providerInvoices } from './schema/provider.ts'

/** The table, or an alias of it. */
type Invoices = {
  status: AnySQLiteColumn<{ data: (typeof paymentStatuses)[number] }>
  amountPaid: AnySQLiteColumn<{ data: number }>
}

/** A condition: the invoice is paid, and took more than £0. */
export const tookMoney = (of: Invoices = providerInvoices): SQL | undefined =>
  and(isOneOf(of.status, 'paid'), gt(of.amountPaid, 0))
