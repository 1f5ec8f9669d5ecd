import { and, eq, inArray, isNotNull, isNull, like, notInArray, or, sql } from 'drizzle-orm'
import { type AnySQLiteColumn, unionAll } from 'drizzle-orm/sqlite-core'
import type { Context } from '#api/context.ts'
import { customers } from '#api/db/schema/customers.ts'
import { invoices } from '#api/db/schema/invoices.ts'
import { mailOutbox, suppressedAddresses } from '#api/db/schema/mail.ts'
import { providerRefunds } from '#api/db/schema/provider.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'

/** Mails a removed member still gets: payment documents, and that charges have stopped. */
const finalCauses = ['receipt', 'refund', 'refund-failed', 'ended'] as const

const isQueued = inArray(mailOutbox.status, ['waiting', 'sending'])

export const isFinalMailOf = (userId: string) =>
  and(eq(mailOutbox.userId, userId), isQueued, or(...finalCauses.map((cause) => like(mailOutbox.cause, `${cause}:%`))))

/** Detaches final mails from an account about to be deleted. If its address is blocked, drops the mails and the block. */
export function keepFinalMails({ db }: Context, { id: userId, email }: { id: string; email: string }): void {
  const stopped = db.delete(suppressedAddresses).where(eq(suppressedAddresses.address, email)).run()
  if (stopped.changes > 0) return
  db.update(mailOutbox).set({ userId: null }).where(isFinalMailOf(userId)).run()
}

/** Deletes final mails that were sent or never will be, since they name the person. Returns how many. */
export function deleteSentFinalMails({ db }: Context): number {
  const causesOf = (
    cause: (typeof finalCauses)[number],
    table: typeof invoices | typeof providerRefunds | typeof subscriptions,
  ) => {
    const id: AnySQLiteColumn = table.id
    return db
      .select({ cause: sql`${cause} || ':' || ${id}`.mapWith(String).as('cause') })
      .from(table)
      .innerJoin(customers, eq(customers.id, table.customerId))
      .where(isNotNull(customers.removedAt))
  }
  const causes = unionAll(
    causesOf('receipt', invoices),
    causesOf('refund', providerRefunds),
    causesOf('refund-failed', providerRefunds),
    causesOf('ended', subscriptions),
  )
  return db
    .delete(mailOutbox)
    .where(
      and(
        isNull(mailOutbox.userId),
        notInArray(mailOutbox.status, ['waiting', 'sending']),
        inArray(mailOutbox.cause, causes),
      ),
    )
    .run().changes
}
