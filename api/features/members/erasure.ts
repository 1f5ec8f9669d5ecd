import type { Context } from '#api/context.ts'
import { isHisCustomer } from '#api/db/whose.ts'
import { keepFarewells } from './farewell.ts'

/** SQL: the row of a money table hangs on a customer of his. */
export const isOfHis = (userId: string) => `customerId in (select id from customers where ${isHisCustomer(userId)})`

/**
 * Deletes an account with everything that is about the person; runs inside the transaction that made sure that nothing of it
 * is live. The rows of his customers stay, nobody's from now on, and what hangs on them.
 */
export function eraseAccount(ctx: Context, { id, email }: { id: string; email: string }): void {
  const run = (sql: string, more = {}) => ctx.sqlite.prepare(sql).run({ userId: id, ...more })
  keepFarewells(ctx, id)
  run(`delete from payment_methods where ${isOfHis('@userId')}`)
  run(`update customers set removedAt = @now where ${isHisCustomer('@userId')}`, { now: ctx.now().toISOString() })
  run(
    `update purchase_attempts set closedAt = coalesce(closedAt, @now), outcome = coalesce(outcome, 'removed'),
       request = json_set(request, '$.customer.email', '', '$.customer.name', '') where userId = @userId`,
    { now: ctx.billingNow().toISOString() },
  )
  run('delete from password_resets where email = @email', { email })
  // A delayed link may be older than the account: its entry knows him by his address alone.
  run(`update audit_entries set detail = json_remove(detail, '$.email') where detail ->> 'email' = @email`, { email })
  run('delete from users where id = @userId')
}
