import { and, eq, gt, gte, isNotNull, lt, ne, type SQLWrapper, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/sqlite-core'
import type { Context } from '#api/context.ts'
import { isOneOf, isTrue, tookMoney } from '#api/db/expressions.ts'
import { preparedQuery, unplanned } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { mailOutbox } from '#api/db/schema/mail.ts'
import { users } from '#api/db/schema/people.ts'
import { paymentMethods, providerInvoices } from '#api/db/schema/provider.ts'
import { duplicateSubscriptions, purchaseAttempts, subscriptions } from '#api/db/schema/subscriptions.ts'
import {
  type Access,
  accessFrom,
  currentSubscription,
  customerOfUser,
  membershipFields,
} from '#api/identity/access-queries.ts'

export type Subscription = typeof subscriptions.$inferSelect

const mailsByCause = preparedQuery<{ cause: string }>()((db, { cause }) =>
  db.select({ id: mailOutbox.id }).from(mailOutbox).where(eq(mailOutbox.cause, cause)),
)

export const wasQueued = (ctx: Context, cause: string): boolean => mailsByCause.get(ctx, { cause }) !== undefined

export const notQueued = (kind: string, id: SQLWrapper) =>
  sql`not exists (select 1 from ${mailOutbox} where ${mailOutbox.cause} = ${sql.raw(`'${kind}:'`)} || ${id})`

const causesBetween = preparedQuery<{ prefix: string; end: string }>()((db, { prefix, end }) =>
  db
    .select({ cause: mailOutbox.cause })
    .from(mailOutbox)
    .where(and(gt(mailOutbox.cause, prefix), lt(mailOutbox.cause, end))),
)

/** The causes `KIND:ID:…`. A semicolon is the character after a colon, so it ends their range. */
export const queuedCauses = (ctx: Context, kind: string, id: string): string[] =>
  causesBetween.all(ctx, { prefix: `${kind}:${id}:`, end: `${kind}:${id};` }).map(({ cause }) => cause)

const customersById = preparedQuery<{ id: string }>()((db, { id }) =>
  db.select({ createdAt: customers.createdAt }).from(customers).where(eq(customers.id, id)),
)

export const customerCreatedAt = (ctx: Context, id: string): string | undefined =>
  customersById.get(ctx, { id })?.createdAt

export const subscriptionById = preparedQuery<{ id: string }>()((db, { id }) =>
  db.select().from(subscriptions).where(eq(subscriptions.id, id)),
)

export const endedSubscriptions = preparedQuery<{ customerId: string; since: string }>()((db, { customerId, since }) =>
  db
    .select()
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.customerId, customerId),
        isOneOf(subscriptions.status, 'canceled'),
        gte(subscriptions.endedAt, since),
        notQueued('ended', subscriptions.id),
      ),
    ),
)

const isPaid = tookMoney()

const paymentsOfSubscription = preparedQuery<{ id: string }>()((db, { id }) =>
  db
    .select({ id: providerInvoices.id })
    .from(providerInvoices)
    .where(and(isPaid, eq(providerInvoices.subscriptionId, id)))
    .limit(1),
)

export const hasPaid = (ctx: Context, { id }: Subscription): boolean =>
  paymentsOfSubscription.get(ctx, { id }) !== undefined

const methodsOfCustomer = preparedQuery<{ customerId: string }>()((db, { customerId }) =>
  db
    .select({ id: paymentMethods.stripePaymentMethodId })
    .from(paymentMethods)
    .where(eq(paymentMethods.customerId, customerId))
    .limit(1),
)

/** Something is saved that Stripe can charge. */
export const hasMethod = (ctx: Context, { customerId }: Pick<Subscription, 'customerId'>): boolean =>
  methodsOfCustomer.get(ctx, { customerId }) !== undefined

/** Payments for another subscription, or a start from a link only former members get. */
const formerMemberships = preparedQuery<{ id: string; customerId: string }>()((db, { id, customerId }) =>
  unionAll(
    db
      .select({ id: providerInvoices.id })
      .from(providerInvoices)
      .where(
        and(
          isPaid,
          eq(providerInvoices.customerId, customerId),
          isNotNull(providerInvoices.subscriptionId),
          ne(providerInvoices.subscriptionId, id),
        ),
      ),
    db
      .select({ id: purchaseAttempts.id })
      .from(purchaseAttempts)
      .where(and(eq(purchaseAttempts.stripeSubscriptionId, id), isOneOf(purchaseAttempts.kind, 'delayed'))),
  ).limit(1),
)

export const wasMemberBefore = (ctx: Context, { id, customerId }: Subscription): boolean =>
  formerMemberships.get(ctx, { id, customerId }) !== undefined

const duplicatesById = preparedQuery<{ id: string }>()((db, { id }) =>
  db
    .select({ openedAt: duplicateSubscriptions.openedAt })
    .from(duplicateSubscriptions)
    .where(eq(duplicateSubscriptions.stripeSubscriptionId, id)),
)

/** A second subscription next to a live one. We cancelled and refunded it. */
export const isDuplicate = (ctx: Context, { id }: Subscription): boolean =>
  duplicatesById.get(ctx, { id }) !== undefined

const memberById = preparedQuery<{ userId: string }>()((db, { userId }) =>
  db
    .select({
      id: users.id,
      email: users.email,
      firstName: users.firstName,
      hasPassword: isTrue(isNotNull(users.passwordHash)),
      isAdmin: users.isAdmin,
      ...membershipFields,
    })
    .from(users)
    .leftJoin(customers, customerOfUser)
    .leftJoin(subscriptions, currentSubscription)
    .where(eq(users.id, unplanned(userId))),
)

export type Member = {
  id: string
  email: string
  firstName: string | null
  hasPassword: boolean
  isAdmin: boolean
  access: Access
}

export function findMember(ctx: Context, userId: string): Member | null {
  const row = memberById.get(ctx, { userId })
  if (row === undefined) return null
  return {
    id: row.id,
    email: row.email,
    firstName: row.firstName,
    hasPassword: row.hasPassword,
    isAdmin: row.isAdmin,
    access: accessFrom(row, ctx.billingNow()),
  }
}
