import { eq, inArray, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { firstOf } from './expressions.ts'
import type { Db } from './open.ts'
import { type HasDb, preparedQuery } from './query.ts'
import { customers } from './schema/customers.ts'
import { users } from './schema/people.ts'

/** A customer of the provider. Nobody's (`userId` null) once the account is deleted, or where there never was one. */
export type Customer = { id: string; userId: string | null }

/** The table, or an alias of it. */
type Customers = Record<'userId' | 'formerUserId', AnySQLiteColumn<{ data: string; notNull: false }>>

/** A condition: the customer is this user's, or was until the provider no longer had them. */
export const customerBelongsTo = (userId: SQLWrapper | string, of: Customers = customers): SQL | undefined =>
  or(eq(of.userId, userId), eq(of.formerUserId, userId))

/** The account of a customer; null for a removed member and for a buyer without an account. */
export const userIdOfCustomer = (of: Customers = customers) => firstOf(of.userId, of.formerUserId)

/** The table of accounts, or an alias of it. */
type People = Record<'firstName' | 'lastName' | 'email', SQLWrapper>

/** First and last name, else the address: what `nameOrEmail` says of a row. */
export const nameOrEmailOf = ({ firstName, lastName, email }: People) =>
  sql`coalesce(nullif(trim(concat_ws(' ', ${firstName}, ${lastName})), ''), ${email})`.mapWith(users.email)

export const displayName = nameOrEmailOf(users)

/** The same where the account may be gone, in a table that it is joined to from the left. */
export const nameOrRemoved = sql`case when ${users.id} is null then 'Removed member' else ${displayName} end`.mapWith(
  users.email,
)

/** A condition on a table of money: its row hangs on a customer that is or was the user's. */
export const belongsToUser = (db: Db, customerId: AnySQLiteColumn, userId: SQLWrapper | string): SQL =>
  inArray(customerId, db.select({ id: customers.id }).from(customers).where(customerBelongsTo(userId)))

const customersByUser = preparedQuery<{ userId: string }>()((db, { userId }) =>
  db
    .select({ id: customers.id, stripeCustomerId: customers.stripeCustomerId })
    .from(customers)
    .where(customerBelongsTo(userId)),
)

/** Every customer that the user pays through, or ever paid through. */
export const listCustomersOfUser = (ctx: HasDb, userId: string) => customersByUser.all(ctx, { userId })
