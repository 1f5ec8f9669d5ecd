import { and, eq, gte, isNotNull, lt, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { filled, isOneOf, least, tookMoney, total } from '#api/db/expressions.ts'
import { preparedQuery } from '#api/db/query.ts'
import { commissionLedger } from '#api/db/schema/commission.ts'
import { balanceTransactions, isForLonger, providerInvoices, providerRefunds } from '#api/db/schema/provider.ts'
import { noteReasons } from '#shared/rules/credit.ts'

const netOfAll = preparedQuery()((db) =>
  db.select({ net: total(sql`${balanceTransactions.amount} - ${balanceTransactions.fee}`) }).from(balanceTransactions),
)

/** What all stored transactions add up to. */
export const balanceUntil = (ctx: Context): number => netOfAll.get(ctx)?.net ?? 0

export const movedByMonth = preparedQuery()((db) => {
  const month = sql`substr(${balanceTransactions.createdOn}, 1, 7)`.mapWith(String)
  return db
    .select({
      month,
      kind: balanceTransactions.kind,
      amount: total(balanceTransactions.amount),
      fee: total(balanceTransactions.fee),
    })
    .from(balanceTransactions)
    .groupBy(month, balanceTransactions.kind)
})

type Span = { from: string; to: string }

/** For months before the stored transactions: what our own rows say was paid. */
export const paidWithin = preparedQuery<Span>()((db, { from, to }) =>
  db
    .select({ amount: total(providerInvoices.amountPaid) })
    .from(providerInvoices)
    .where(and(tookMoney(), gte(providerInvoices.paidAt, from), lt(providerInvoices.paidAt, to))),
)

export const refundedWithin = preparedQuery<Span>()((db, { from, to }) =>
  db
    .select({ amount: total(providerRefunds.amount) })
    .from(providerRefunds)
    .where(
      and(
        isOneOf(providerRefunds.status, 'pending', 'succeeded'),
        sql`coalesce(${providerRefunds.reason}, '') not in (${noteReasons.credit}, ${noteReasons.outside})`,
        gte(providerRefunds.created, from),
        lt(providerRefunds.created, to),
      ),
    ),
)

/** Payments for more than a month, with what was taken and given back of them. */
export const longPayments = preparedQuery()((db) =>
  db
    .select({
      paidAt: filled(providerInvoices.paidAt),
      start: filled(providerInvoices.periodStart),
      end: filled(providerInvoices.periodEnd),
      net: providerInvoices.net,
      total: providerInvoices.total,
      taken: providerInvoices.amountPaid,
      refunded: providerInvoices.amountRefunded,
    })
    .from(providerInvoices)
    .where(and(sql.raw(isForLonger), isNotNull(providerInvoices.paidAt), tookMoney())),
)

/** What the sales partner earned, less claw-backs. Paying them out isn't a cost again. */
export const commissionByMonth = preparedQuery()((db) =>
  db
    .select({ month: commissionLedger.month, amount: total(commissionLedger.amount) })
    .from(commissionLedger)
    .where(eq(commissionLedger.isSettlement, false))
    .groupBy(commissionLedger.month),
)

const earliestPaid = preparedQuery()((db) =>
  db
    .select({ at: least(providerInvoices.paidAt) })
    .from(providerInvoices)
    .where(tookMoney()),
)
const earliestMoved = preparedQuery()((db) =>
  db.select({ day: least(balanceTransactions.createdOn) }).from(balanceTransactions),
)

export const earliestPayment = (ctx: Context) => earliestPaid.get(ctx)?.at ?? null
export const earliestTransaction = (ctx: Context) => earliestMoved.get(ctx)?.day ?? null
