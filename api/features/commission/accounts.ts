import { inArray, or } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { customers } from '#api/db/schema/customers.ts'
import { personOfCustomer } from '#api/db/whose.ts'
import type { Account } from './month-queries.ts'

/**
 * Everything that is a member's at the provider, named by his id, or by the id of one of his customers, which is all that
 * is left of a removed member. Null where nobody goes by it; without customers for a member who never bought anything.
 */
export function accountOf(ctx: Context, id: string): Account | null {
  const row = ctx.sqlite
    .prepare<{ id: string }, { accountId: string }>(
      `select id as accountId from users where id = @id
       union all select coalesce(${personOfCustomer()}, id) from customers where id = @id`,
    )
    .get({ id })
  return row === undefined ? null : { accountId: row.accountId, customerIds: customersOf(ctx, row.accountId) }
}

/** The customers that are or were each person's; of a removed member the one that goes by this id. One statement for all. */
export function customersOfAccounts(ctx: Context, accountIds: readonly string[]): Account[] {
  const rows = ctx.db
    .select({ id: customers.id, userId: customers.userId, formerUserId: customers.formerUserId })
    .from(customers)
    .where(
      or(
        inArray(customers.userId, [...accountIds]),
        inArray(customers.formerUserId, [...accountIds]),
        inArray(customers.id, [...accountIds]),
      ),
    )
    .all()
  const accountOfRow = ({ id, userId, formerUserId }: (typeof rows)[number]) => userId ?? formerUserId ?? id
  const byAccount = Map.groupBy(rows, accountOfRow)
  return accountIds.map((accountId) => ({
    accountId,
    customerIds: (byAccount.get(accountId) ?? []).map(({ id }) => id),
  }))
}

export const customersOf = (ctx: Context, accountId: string): string[] =>
  customersOfAccounts(ctx, [accountId]).flatMap(({ customerIds }) => customerIds)
