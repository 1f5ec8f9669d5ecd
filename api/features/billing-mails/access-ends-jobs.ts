import { and, asc, eq, inArray, isNotNull } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { customers } from '#api/db/schema/customers.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { queueAccessEnds } from './payment-mails.ts'
import { findMember, subscriptionById } from './queries.ts'

/** Mails members whose unpaid renewal will soon end their access, or has ended it. */
export function announceAccessEnds(ctx: Context): { owing: number; mails: number } {
  const owing = membersInArrears(ctx)
  const mails = owing.reduce((sum, userId) => sum + transact(ctx, () => announceTo(ctx, userId)), 0)
  return { owing: owing.length, mails }
}

function announceTo(ctx: Context, userId: string): number {
  const member = findMember(ctx, userId)
  const subscription = subscriptionById.get(ctx, { id: member?.access.subscriptionId ?? '' })
  return member === null || subscription === undefined ? 0 : queueAccessEnds(ctx, member, subscription)
}

const membersInArrears = ({ db }: Context): string[] =>
  db
    .selectDistinct({ userId: customers.userId })
    .from(subscriptions)
    .innerJoin(customers, eq(customers.id, subscriptions.customerId))
    .where(and(inArray(subscriptions.status, ['past_due', 'unpaid']), isNotNull(customers.userId)))
    .orderBy(asc(customers.userId))
    .all()
    .flatMap(({ userId }) => userId ?? [])
