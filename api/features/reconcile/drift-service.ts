import { eq, getTableColumns, or } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { preparedQuery } from '#api/db/query.ts'
import { customers } from '#api/db/schema/customers.ts'
import { users } from '#api/db/schema/people.ts'
import { paymentMethods, providerInvoices, providerRefunds } from '#api/db/schema/provider.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { memberNotFound } from '#api/errors.ts'
import type { Owner } from '#api/identity/person.ts'
import { lookingAgainForOwner } from '#api/stripe/look-again.ts'
import type { MemberSync, RepairedRows } from '#shared/contract/jobs.ts'
import type { DueCustomer } from './due-queries.ts'
import { syncCustomer } from './service.ts'

type OfCustomer = { customerId: string }

/** `updatedAt` says only when a row was written, so it does not count as a difference. Nor does what a preview says of later. */
const {
  updatedAt: _ofSubscription,
  nextPayment: _next,
  nextPaymentKey: _key,
  nextPaymentAskedAt: _askedAt,
  ...subscriptionFields
} = getTableColumns(subscriptions)
const { updatedAt: _ofMethod, ...methodFields } = getTableColumns(paymentMethods)

const storedRows = {
  subscriptions: preparedQuery<OfCustomer>()((db, { customerId }) =>
    db.select(subscriptionFields).from(subscriptions).where(eq(subscriptions.customerId, customerId)),
  ),
  invoices: preparedQuery<OfCustomer>()((db, { customerId }) =>
    db.select().from(providerInvoices).where(eq(providerInvoices.customerId, customerId)),
  ),
  refunds: preparedQuery<OfCustomer>()((db, { customerId }) =>
    db.select().from(providerRefunds).where(eq(providerRefunds.customerId, customerId)),
  ),
  cards: preparedQuery<OfCustomer>()((db, { customerId }) =>
    db
      .select({ ...methodFields, id: paymentMethods.customerId })
      .from(paymentMethods)
      .where(eq(paymentMethods.customerId, customerId)),
  ),
  users: preparedQuery<OfCustomer>()((db, { customerId }) =>
    db
      .select({
        id: users.id,
        isMember: users.isMember,
        membershipTier: users.membershipTier,
        stripeSubscriptionId: users.stripeSubscriptionId,
        stripeCustomerId: users.stripeCustomerId,
      })
      .from(users)
      .innerJoin(customers, eq(customers.userId, users.id))
      .where(eq(customers.id, customerId)),
  ),
}
const kinds = ['subscriptions', 'invoices', 'refunds', 'cards', 'users'] as const satisfies (keyof RepairedRows)[]

type Rows = Map<string, string>
const readRows = (ctx: Context, kind: keyof RepairedRows, customerId: string): Rows =>
  new Map(storedRows[kind].all(ctx, { customerId }).map((row) => [row.id, JSON.stringify(row)]))

const countChanges = (before: Rows, after: Rows) =>
  [...new Set([...before.keys(), ...after.keys()])].filter((id) => before.get(id) !== after.get(id)).length

export const noRepairs = (): RepairedRows => ({ subscriptions: 0, invoices: 0, refunds: 0, cards: 0, users: 0 })
export const countRepairs = (repairs: RepairedRows) => kinds.reduce((sum, kind) => sum + repairs[kind], 0)

/** Syncs a customer and counts the rows that differed. Records it if any did. */
export async function repairCustomer(ctx: Context, customer: DueCustomer): Promise<RepairedRows> {
  const before = kinds.map((kind) => readRows(ctx, kind, customer.id))
  await syncCustomer(ctx, customer.stripeCustomerId)
  const repairs = noRepairs()
  for (const [index, kind] of kinds.entries()) {
    repairs[kind] = countChanges(before[index] ?? new Map(), readRows(ctx, kind, customer.id))
  }
  if (countRepairs(repairs) > 0) {
    audit(ctx, 'system', 'customer.mended', { targetId: customer.userId ?? customer.id, detail: repairs })
    ctx.log.warn('customer repaired', { customer: customer.id, ...repairs })
  }
  return repairs
}

/** The same for one person, at an owner's request. */
export async function syncMember(ctx: Context, owner: Owner, idOrEmail: string): Promise<MemberSync> {
  const row = ctx.db
    .select({
      memberId: users.id,
      customerId: customers.id,
      stripeCustomerId: customers.stripeCustomerId,
    })
    .from(users)
    .leftJoin(customers, eq(customers.userId, users.id))
    .where(or(eq(users.id, idOrEmail), eq(users.email, idOrEmail.toLowerCase())))
    .get()
  if (row === undefined) throw memberNotFound()
  const { memberId, customerId, stripeCustomerId } = row
  audit(ctx, owner.actor, 'member.sync', { targetId: memberId })
  if (customerId === null || stripeCustomerId === null) {
    return { memberId, hasCustomer: false, mended: noRepairs() }
  }
  const repair = () => repairCustomer(ctx, { id: customerId, userId: memberId, stripeCustomerId })
  return { memberId, hasCustomer: true, mended: await lookingAgainForOwner(ctx, repair) }
}
