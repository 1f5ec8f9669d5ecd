import { and, eq, isNull, lt, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { customerBelongsTo } from '#api/db/customers.ts'
import { nullable, tookMoney } from '#api/db/expressions.ts'
import { customers } from '#api/db/schema/customers.ts'
import { users } from '#api/db/schema/people.ts'
import { providerInvoices } from '#api/db/schema/provider.ts'
import { accessOfUser } from '#api/identity/access-queries.ts'
import type { LinkObstacle } from '#shared/contract/reactivation.ts'
import { isLive } from '#shared/rules/membership.ts'

export const findUserByEmail = (ctx: Context, email: string) =>
  ctx.db
    .select({
      id: users.id,
      firstName: users.firstName,
      lastName: users.lastName,
      isAdmin: users.isAdmin,
      passwordHash: users.passwordHash,
    })
    .from(users)
    .where(eq(users.email, email))
    .get()

/** Why a link to this address has nothing to sell now; null if it has. An unpaid purchase is no obstacle. */
export function findObstacle(ctx: Context, email: string): LinkObstacle | null {
  const user = findUserByEmail(ctx, email)
  if (user === undefined) return null
  const { isRevoked, status, waitingStart } = accessOfUser(ctx, user.id)
  if (isRevoked) return 'access_revoked'
  return waitingStart !== null || (isLive(status) && status !== 'incomplete') ? 'already_subscribed' : null
}

/** When this address last paid for a membership; null if never. Ignores fully refunded payments and £0 invoices. */
export function findLastPayment(ctx: Context, email: string): string | null {
  const paidAt = sql`max(coalesce(${providerInvoices.paidAt}, ${providerInvoices.created}))`
  const row = ctx.db
    .select({ at: nullable(providerInvoices.created, paidAt) })
    .from(providerInvoices)
    .innerJoin(customers, eq(customers.id, providerInvoices.customerId))
    .innerJoin(users, customerBelongsTo(users.id))
    .where(
      and(
        eq(users.email, email),
        tookMoney(),
        lt(providerInvoices.amountRefunded, providerInvoices.amountPaid),
        isNull(providerInvoices.quotientOrderId),
      ),
    )
    .get()
  return row?.at ?? null
}
