import type { Context } from '#api/context.ts'
import { removeOwnAccount } from '#api/features/members/removal-service.ts'
import { assertProven } from '#api/http/proof.ts'
import type { Person } from '#api/http/session.ts'
import type { AccountDeleted } from '#shared/contract/account.ts'

/**
 * Deletes the account of who asks. Their membership ends at the provider first; while that fails nothing is deleted. Invoices
 * and payments stay, as the law on tax asks, on a row that is nobody's. Every other device deletes what it keeps.
 */
export async function deleteOwnAccount(ctx: Context, person: Person): Promise<AccountDeleted> {
  if (person.hasPassword) assertProven(ctx, person)
  const { subscriptions, stays } = await removeOwnAccount(ctx, person.id)
  return { success: true, subscriptions, invoices: stays.invoices }
}
