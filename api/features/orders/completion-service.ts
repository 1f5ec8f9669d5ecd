import { and, eq, exists, not, type SQL, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import type { Customer } from '#api/db/customers.ts'
import { isOneOf, tookMoney } from '#api/db/expressions.ts'
import type { Db } from '#api/db/open.ts'
import { preparedQuery } from '#api/db/query.ts'
import { quotientOrders } from '#api/db/schema/orders.ts'
import { providerInvoices } from '#api/db/schema/provider.ts'
import { mailPaidOrder } from './mails.ts'

type OfCustomer = { customerId: string }

const isOfOrder = and(
  eq(providerInvoices.customerId, quotientOrders.customerId),
  eq(providerInvoices.quotientOrderId, quotientOrders.id),
)

const hasInvoice = (db: Db, condition: SQL | undefined) =>
  exists(db.select({ id: providerInvoices.id }).from(providerInvoices).where(and(isOfOrder, condition)))

const markPaid = preparedQuery<OfCustomer>()((db, { customerId }) =>
  db
    .update(quotientOrders)
    .set({
      status: 'paid',
      paidAt: sql`(select min(${providerInvoices.paidAt}) from ${providerInvoices} where ${and(isOfOrder, tookMoney())})`,
    })
    .where(
      and(
        eq(quotientOrders.customerId, customerId),
        isOneOf(quotientOrders.status, 'pending', 'cancelled'),
        hasInvoice(db, tookMoney()),
      ),
    )
    .returning(),
)

/** Marks orders as paid, however late a sync reports it, and queues their mails. Call it inside that sync's transaction. */
export function completeOrders(ctx: Context, { id: customerId }: Customer): void {
  for (const order of markPaid.all(ctx, { customerId })) mailPaidOrder(ctx, order)
  markRefunded.run(ctx, { customerId })
  markPaidAgain.run(ctx, { customerId })
}

/** Fully refunded. A refund that fails later makes it less than all. */
const isRefunded = sql`${providerInvoices.amountPaid} > 0 and ${providerInvoices.amountRefunded} >= ${providerInvoices.amountPaid}`

const markRefunded = preparedQuery<OfCustomer>()((db, { customerId }) =>
  db
    .update(quotientOrders)
    .set({ status: 'refunded' })
    .where(
      and(
        eq(quotientOrders.customerId, customerId),
        isOneOf(quotientOrders.status, 'paid'),
        hasInvoice(db, isRefunded),
      ),
    ),
)

const markPaidAgain = preparedQuery<OfCustomer>()((db, { customerId }) =>
  db
    .update(quotientOrders)
    .set({ status: 'paid' })
    .where(
      and(
        eq(quotientOrders.customerId, customerId),
        isOneOf(quotientOrders.status, 'refunded'),
        not(hasInvoice(db, isRefunded)),
      ),
    ),
)
