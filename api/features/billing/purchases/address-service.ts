import { eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { listCustomersOfUser } from '#api/db/customers.ts'
import { upsert } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { addresses } from '#api/db/schema/people.ts'
import { queueReceipts } from '#api/features/billing-mails/payment-mails.ts'
import { reissueWithAddress } from '#api/features/invoices/reissue-service.ts'
import type { BillingAddress } from '#shared/contract/billing.ts'

/** Also reissues invoices that lacked an address, in the same transaction. */
export function saveBillingAddress(ctx: Context, userId: string, address: BillingAddress): void {
  transact(ctx, () => {
    upsert(ctx, addresses, { ...address, line2: address.line2 ?? null, userId, updatedAt: ctx.now().toISOString() })
    for (const customer of listCustomersOfUser(ctx, userId)) {
      reissueWithAddress(ctx, customer)
      queueReceipts(ctx, customer)
    }
  })
}

export function billingAddressOf(ctx: Context, userId: string): BillingAddress | null {
  const row = ctx.db
    .select({
      line1: addresses.line1,
      line2: addresses.line2,
      town: addresses.town,
      postcode: addresses.postcode,
      country: addresses.country,
    })
    .from(addresses)
    .where(eq(addresses.userId, userId))
    .get()
  if (row === undefined) return null
  const { line2, ...address } = row
  return line2 ? { ...address, line2 } : address
}
