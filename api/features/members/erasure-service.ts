import { and, eq, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { belongsToUser, customerBelongsTo } from '#api/db/customers.ts'
import { auditEntries } from '#api/db/schema/audit.ts'
import { customers } from '#api/db/schema/customers.ts'
import { inboxNotes } from '#api/db/schema/forms.ts'
import { users } from '#api/db/schema/people.ts'
import { paymentMethods } from '#api/db/schema/provider.ts'
import { passwordResets } from '#api/db/schema/sessions.ts'
import { cancellations, purchaseAttempts } from '#api/db/schema/subscriptions.ts'
import { endAllSessions } from '#api/features/auth/session-service.ts'
import { keepFinalMails } from './final-mails.ts'

/**
 * Deletes an account with everything that is about the person; runs inside the transaction that made sure that nothing of it
 * is live. The customers' rows stay, from now on nobody's, and with them the money that hangs on them.
 */
export function eraseAccount(ctx: Context, { id, email }: { id: string; email: string }): void {
  const { db } = ctx
  keepFinalMails(ctx, id)
  endAllSessions(ctx, id)
  db.delete(paymentMethods)
    .where(belongsToUser(db, paymentMethods.customerId, id))
    .run()
  db.delete(cancellations)
    .where(belongsToUser(db, cancellations.customerId, id))
    .run()
  db.update(customers).set({ removedAt: ctx.now().toISOString() }).where(customerBelongsTo(id)).run()
  const { closedAt, outcome, request } = purchaseAttempts
  db.update(purchaseAttempts)
    .set({
      closedAt: sql`coalesce(${closedAt}, ${ctx.billingNow().toISOString()})`,
      outcome: sql`coalesce(${outcome}, 'removed')`,
      request: sql`json_set(${request}, '$.customer.email', '', '$.customer.name', '')`,
    })
    .where(eq(purchaseAttempts.userId, id))
    .run()
  db.delete(inboxNotes)
    .where(and(eq(inboxNotes.aboutId, id), eq(inboxNotes.about, 'members')))
    .run()
  db.delete(passwordResets).where(eq(passwordResets.email, email)).run()
  // A delayed link may be older than the account: its audit entry knows the person by their address alone.
  const { detail } = auditEntries
  db.update(auditEntries)
    .set({ detail: sql`json_remove(${detail}, '$.email')` })
    .where(eq(sql`${detail} ->> 'email'`, email))
    .run()
  db.delete(users).where(eq(users.id, id)).run()
}
