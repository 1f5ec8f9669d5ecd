import { and, asc, count, eq, gte, isNull, lt, lte } from 'drizzle-orm'
import { nameOrRemoved, userIdOfCustomer } from '#api/db/customers.ts'
import { total } from '#api/db/expressions.ts'
import { preparedQuery } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { creditNotes, invoices } from '#api/db/schema/invoices.ts'
import { users } from '#api/db/schema/people.ts'
import { revenueChanges } from '#api/db/schema/revenue.ts'

type Days = { from: string; to: string }

/** Each payment's first invoice, by tax point, both days included. */
export const paymentsWithin = preparedQuery<Days>()((db, { from, to }) =>
  db
    .select({ count: count(), gross: total(invoices.gross) })
    .from(invoices)
    .where(and(gte(invoices.taxPoint, from), lte(invoices.taxPoint, to), isNull(invoices.replacesId))),
)

export const refundsWithin = preparedQuery<Days>()((db, { from, to }) =>
  db
    .select({ count: count(), gross: total(creditNotes.gross) })
    .from(creditNotes)
    .where(and(gte(creditNotes.issuedOn, from), lte(creditNotes.issuedOn, to), eq(creditNotes.kind, 'refund'))),
)

export const movementsWithin = preparedQuery<Days & { month: string; lastMonth: string }>()(
  (db, { from, to, month, lastMonth }) =>
    db
      .select({
        kind: revenueChanges.kind,
        name: nameOrRemoved,
        beforeYearly: revenueChanges.beforeYearly,
        afterYearly: revenueChanges.afterYearly,
      })
      .from(revenueChanges)
      .innerJoin(customers, eq(customers.id, revenueChanges.customerId))
      .leftJoin(users, eq(users.id, userIdOfCustomer()))
      .where(
        and(
          gte(revenueChanges.month, month),
          lte(revenueChanges.month, lastMonth),
          gte(revenueChanges.at, from),
          lt(revenueChanges.at, to),
        ),
      )
      .orderBy(asc(revenueChanges.at), asc(revenueChanges.id)),
)
