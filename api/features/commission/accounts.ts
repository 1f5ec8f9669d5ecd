import type { Context } from '#api/context.ts'
import { isHisCustomer, personOfCustomer } from '#api/db/whose.ts'
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

/** Of a person the customers that are or were his; else the one that goes by this id. */
export const customersOf = (ctx: Context, accountId: string): string[] =>
  ctx.sqlite
    .prepare<{ accountId: string }, string>(
      `select id from customers where ${isHisCustomer('@accountId')} or (id = @accountId and ${personOfCustomer()} is null)`,
    )
    .pluck()
    .all({ accountId })
