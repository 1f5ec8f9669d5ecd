import type { Sqlite } from './open.ts'

/** SQL: the row of `customers`, by that alias, is this person's, or was until the provider had it no more. */
export const isHisCustomer = (user: string, customers = 'customers') =>
  `(${customers}.userId = ${user} or ${customers}.formerUserId = ${user})`

/** SQL: whose the row is; null of a removed member, and of who bought without an account. */
export const personOfCustomer = (customers = 'customers') => `coalesce(${customers}.userId, ${customers}.formerUserId)`

type HisCustomer = { id: string; stripeCustomerId: string }

/** Whatever the person pays, or ever paid, through. */
export const customersOf = ({ sqlite }: { sqlite: Sqlite }, userId: string): HisCustomer[] =>
  sqlite
    .prepare<{ userId: string }, HisCustomer>(
      `select id, stripeCustomerId from customers where ${isHisCustomer('@userId')}`,
    )
    .all({ userId })
