import { eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { subscriptions } from '#api/db/schema/membership.ts'
import { accessOfUser } from '#api/features/access/standing.ts'
import type { Customer } from '#api/stripe/consequences.ts'
import { queueEnded, queueEnding } from './endings.ts'
import { queueHello } from './hello.ts'
import type { Member } from './news.ts'
import { queueReceipts, queueRefunds } from './payments.ts'
import { queuePaymentFailed } from './renewals.ts'
import { queueTierChange } from './tier-changes.ts'

/**
 * Puts in the outbox what a customer's rows give to tell: one mail for each cause, whatever the number, order or delay of
 * the news, and none about what was before we knew the customer. Runs inside the sync's transaction, last.
 */
export function queueMoneyMails(ctx: Context, customer: Customer): void {
  const member = customer.userId === null ? null : findMember(ctx, customer.userId)
  if (member !== null) queueAboutMembership(ctx, member, customer.id)
  queueReceipts(ctx, customer)
  queueRefunds(ctx, customer)
}

function queueAboutMembership(ctx: Context, member: Member, customerId: string): void {
  queueEnded(ctx, member, customerId)
  const { subscriptionId } = member.access
  if (subscriptionId === null) return
  const subscription = ctx.db.select().from(subscriptions).where(eq(subscriptions.id, subscriptionId)).get()
  if (subscription === undefined) return
  queueHello(ctx, member, subscription)
  queuePaymentFailed(ctx, member, subscription)
  queueEnding(ctx, member, subscription)
  queueTierChange(ctx, member, subscription)
}

type UserRow = { id: string; email: string; firstName: string | null; hasPassword: 0 | 1; isGranted: 0 | 1 }

export function findMember(ctx: Context, userId: string): Member | null {
  const row = ctx.sqlite
    .prepare<[string], UserRow>(
      `select id, email, firstName, passwordHash is not null as hasPassword, accessOverride is 'granted' as isGranted
       from users where id = ?`,
    )
    .get(userId)
  if (row === undefined) return null
  return {
    ...row,
    hasPassword: row.hasPassword === 1,
    isGranted: row.isGranted === 1,
    access: accessOfUser(ctx, userId),
  }
}
