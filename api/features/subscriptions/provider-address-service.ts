import { and, eq, isNotNull, isNull, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { displayName, listCustomersOfUser } from '#api/db/customers.ts'
import type { Db } from '#api/db/open.ts'
import { preparedQuery } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { emailChanges, users } from '#api/db/schema/people.ts'
import { errorName } from '#api/log.ts'
import { setCustomerEmail } from '#api/stripe/customers.ts'

/** On `email_changes`: a move of this user's that the provider hasn't been told. */
export const isUntold = (userId: SQLWrapper | string) =>
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
  ctx.db.update(customers).set({ emailAtStripe: null }).where(eq(customers.userId, userId)).run()
}

const accountAddress = preparedQuery<{ userId: string | null }>()((db, { userId }) =>
  db.select({ email: users.email }).from(users).where(eq(users.id, userId)),
)

const saveProviderAddress = preparedQuery<{ id: string; address: string | null }>()((db, { id, address }) =>
  db.update(customers).set({ emailAtStripe: address }).where(eq(customers.id, id)),
)

type Noted = { id: string; userId: string | null; emailAtStripe: string | null }

/** In a sync's transaction: an address that isn't the account's waits for an owner, unless ours is on its way to the provider. */
export function noteProviderAddress(ctx: Context, { id, userId, emailAtStripe }: Noted, read: string | null): void {
  const ours = accountAddress.get(ctx, { userId })?.email
  const isOther = read !== null && ours !== undefined && !isSame(read, ours) && !isOnItsWay(ctx, userId)
  const address = isOther ? read : null
  if (address !== emailAtStripe) saveProviderAddress.run(ctx, { id, address })
}

const isSame = (one: string, other: string) => one.trim().toLowerCase() === other.toLowerCase()

const isOnItsWay = (ctx: Context, userId: string | null) =>
  userId !== null &&
  ctx.db.select({ id: emailChanges.id }).from(emailChanges).where(isUntold(userId)).get() !== undefined

export type OtherAddress = { memberId: string; name: string; email: string; address: string; stripeCustomerId: string }

/** With and without a user are two queries, so that the one has its index. */
const selectOtherAddresses = (db: Db, whose?: SQL) =>
  db
    .select({
      memberId: users.id,
      name: displayName,
      email: users.email,
      address: customers.emailAtStripe,
      stripeCustomerId: customers.stripeCustomerId,
    })
    .from(customers)
    .innerJoin(users, eq(users.id, customers.userId))
    .where(
      and(whose, isNotNull(customers.emailAtStripe), sql`lower(trim(${customers.emailAtStripe})) <> ${users.email}`),
    )
    .orderBy(users.email)

const otherAddresses = preparedQuery()((db) => selectOtherAddresses(db))
const otherAddressesOf = preparedQuery<{ userId: string }>()((db, { userId }) =>
  selectOtherAddresses(db, eq(customers.userId, userId)),
)

/** Members whose address at the provider isn't ours, for owners to say which one counts. */
export const listOtherAddresses = (ctx: Pick<Context, 'db'>, userId: string | null = null): OtherAddress[] =>
  (userId === null ? otherAddresses.all(ctx) : otherAddressesOf.all(ctx, { userId })).flatMap(({ address, ...row }) =>
    address === null ? [] : [{ ...row, address }],
  )

/** If the provider is unreachable, the customer's next sync does it. */
export async function tellProviderIfReachable(ctx: Context, userId: string): Promise<void> {
  try {
    await tellProviderAddress(ctx, userId)
  } catch (error) {
    ctx.log.warn('address not sent to Stripe', { name: errorName(error) })
  }
}
