/** SQL: the row of `customers`, by that alias, is this person's, or was until the provider had it no more. */
export const isHisCustomer = (user: string, customers = 'customers') =>
  `(${customers}.userId = ${user} or ${customers}.formerUserId = ${user})`

/** SQL: whose the row is; null of a removed member, and of who bought without an account. */
export const personOfCustomer = (customers = 'customers') => `coalesce(${customers}.userId, ${customers}.formerUserId)`
