import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { isHisCustomer } from '#api/db/whose.ts'
import { eraseAccount } from '#api/features/members/erasure.ts'

const keptDays = 30

const isAbandoned = `
  users.passwordHash is null and users.isAdmin = 0 and users.accessOverride is null
  and coalesce(users.lastSeenAt, users.createdAt) < @before
  and not exists (select 1 from owner_addresses where owner_addresses.userId = users.id)
  and not exists (select 1 from purchase_attempts where purchase_attempts.userId = users.id and closedAt is null)
  and not exists (select 1 from customers join subscriptions on subscriptions.customerId = customers.id
    where customers.userId = users.id and subscriptions.status not in ('canceled', 'incomplete_expired'))
  and not exists (select 1 from customers join provider_invoices on provider_invoices.customerId = customers.id
    where ${isHisCustomer('users.id')} and provider_invoices.status = 'paid' and amountPaid > 0)`

/**
 * Removes accounts that began to join, never paid, never set a password and have not been back for 30 days. Their
 * applications and what was recorded of them stay.
 */
export function removeAbandoned(ctx: Context): { removed: number } {
  const before = new Date(ctx.now().getTime() - keptDays * 86_400_000).toISOString()
  const found = ctx.sqlite
    .prepare<{ before: string }, { id: string; email: string }>(`select id, email from users where ${isAbandoned}`)
    .all({ before })
  const isStill = ctx.sqlite.prepare(`select 1 from users where id = @id and ${isAbandoned}`)
  let removed = 0
  for (const { id, email } of found) {
    transact(ctx, () => {
      if (isStill.get({ id, before }) === undefined) return
      eraseAccount(ctx, { id, email })
      audit(ctx, 'system', 'account.abandoned', { targetId: id })
      removed += 1
    })
  }
  return { removed }
}
