import { eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { accessOfUser } from '#api/features/access/queries.ts'
import { queueBillingMails } from '#api/features/billing-mails/service.ts'
import { writeLedger } from '#api/features/commission/ledger-service.ts'
import { issueCreditNotes } from '#api/features/invoices/credit-note-service.ts'
import { issueInvoices } from '#api/features/invoices/issue-service.ts'
import { reissueAfterFailedRefunds } from '#api/features/invoices/reissue-service.ts'
import { completeOrders } from '#api/features/quotient/completion.ts'
import { recordRevenueChanges } from '#api/features/revenue/change-service.ts'
import { closeSettledAttempts } from './attempts.ts'

/** Ours of a customer at the provider; nobody's (`userId` null) once the account is deleted, or where there never was one. */
export type Customer = { id: string; userId: string | null }

/**
 * What follows from a customer's rows, in the transaction that wrote them. Each step looks at rows alone and does what is
 * missing, so that news that comes twice, late or in another order ends the same. The order is that of dependence.
 */
export function followUp(ctx: Context, customer: Customer, { isFix = false } = {}): void {
  closeSettledAttempts(ctx, customer.userId)
  if (customer.userId !== null) refreshPerson(ctx, customer.userId)
  recordRevenueChanges(ctx, customer)
  completeOrders(ctx, customer)
  issueInvoices(ctx, customer, isFix)
  issueCreditNotes(ctx, customer)
  reissueAfterFailedRefunds(ctx, customer)
  writeLedger(ctx, customer)
  queueBillingMails(ctx, customer)
}

/** Rewrites what `users` repeats of the subscription and of the owners' word on it: the one writer of those columns. */
export function refreshPerson(ctx: Context, userId: string): void {
  const access = accessOfUser(ctx, userId)
  const subscription = access.subscriptionId
    ? ctx.db.select().from(subscriptions).where(eq(subscriptions.id, access.subscriptionId)).get()
    : undefined
  ctx.sqlite
    .prepare(
      `update users set isMember = ?, membershipTier = ?, stripeSubscriptionId = ?,
         stripeCustomerId = (select stripeCustomerId from customers where customers.userId = users.id),
         membershipStartDate = coalesce(membershipStartDate, ?), updatedAt = ? where id = ?`,
    )
    .run(
      access.hasAccess ? 1 : 0,
      access.tier,
      access.subscriptionId,
      access.subscriptionGivesAccess ? (subscription?.created ?? null) : null,
      ctx.now().toISOString(),
      userId,
    )
}
