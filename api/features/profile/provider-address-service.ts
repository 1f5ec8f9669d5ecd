import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { listCustomersOfUser } from '#api/db/customers.ts'
import { emailChanges, users } from '#api/db/schema/people.ts'
import { errorName } from '#api/log.ts'
import { setCustomerEmail } from '#api/stripe/customers.ts'

const isUntold = (userId: string) =>
  and(eq(emailChanges.userId, userId), isNotNull(emailChanges.confirmedAt), isNull(emailChanges.providerToldAt))

/** Updates an account's changed address at the provider. Does nothing if the provider already has it. */
export async function tellProviderAddress(ctx: Context, userId: string): Promise<void> {
  const changed = ctx.db.select({ id: emailChanges.id }).from(emailChanges).where(isUntold(userId)).all()
  if (changed.length === 0) return
  const email = ctx.db.select({ email: users.email }).from(users).where(eq(users.id, userId)).get()?.email
  if (email === undefined) return
  for (const { stripeCustomerId } of listCustomersOfUser(ctx, userId)) {
    await setCustomerEmail(ctx, stripeCustomerId, email)
  }
  // The address may have changed again during the call.
  const now = ctx.db.select({ email: users.email }).from(users).where(eq(users.id, userId)).get()?.email
  if (now !== email) return
  ctx.db.update(emailChanges).set({ providerToldAt: ctx.now().toISOString() }).where(isUntold(userId)).run()
}

/** If the provider is unreachable, the customer's next sync does it. */
export async function tellProviderIfReachable(ctx: Context, userId: string): Promise<void> {
  try {
    await tellProviderAddress(ctx, userId)
  } catch (error) {
    ctx.log.warn('address not sent to Stripe', { name: errorName(error) })
  }
}
