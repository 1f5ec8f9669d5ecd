import { eq, inArray, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { firstOf } from './expressions.ts'
import type { Db } from './open.ts'
import { type HasDb, preparedQuery } from './query.ts'
import { customers } from './schema/customers.ts'
import { users } from './schema/people.ts'

/** A Stripe customer. `userId` is null once the account is deleted, or if there never was one. */
export type Customer = { id: string; userId: string | null }

type Customers = Record<'userId' | 'formerUserId', AnySQLiteColumn<{ data: string; notNull: false }>>

/** Condition: the customer is this user's, or was until it was deleted at Stripe. */
export const customerBelongsTo = (userId: SQLWrapper | string, of: Customers = customers): SQL | undefined =>
  or(eq(of.userId, userId), eq(of.formerUserId, userId))

/** A customer's account. Null for removed members and buyers without an account. */
export const userIdOfCustomer = (of: Customers = customers) => firstOf(of.userId, of.formerUserId)

type People = Record<'firstName' | 'lastName' | 'email', SQLWrapper>

/** First and last name, or else the email address: `nameOrEmail` in SQL. */
export const nameOrEmailOf = ({ firstName, lastName, email }: People) =>
  sql`coalesce(nullif(trim(concat_ws(' ', ${firstName}, ${lastName})), ''), ${email})`.mapWith(users.email)

export const displayName = nameOrEmailOf(users)

/** The name for a left join, where the account may be gone. */
export const nameOrRemoved = sql`case when ${users.id} is null then 'Removed member' else ${displayName} end`.mapWith(
  users.email,
)

/** Condition on a table of payments: the row's customer is or was the user's. */
export const belongsToUser = (db: Db, customerId: AnySQLiteColumn, userId: SQLWrapper | string): SQL =>
  inArray(customerId, db.select({ id: customers.id }).from(customers).where(customerBelongsTo(userId)))

const customersByUser = preparedQuery<{ userId: string }>()((db, { userId }) =>
  db
    .select({ id: customers.id, stripeCustomerId: customers.stripeCustomerId })
    .from(customers)
    .where(customerBelongsTo(userId)),
)

export const listCustomersOfUser = (ctx: HasDb, userId: string) => customersByUser.all(ctx, { userId })
