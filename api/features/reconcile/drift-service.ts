import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { notFound } from '#api/errors.ts'
import type { Owner } from '#api/http/session.ts'
import { toAppError } from '#api/stripe/errors.ts'
import type { MemberSync, Mended } from '#shared/contract/jobs.ts'
import { syncCustomer } from './service.ts'

export type DriftingCustomer = { id: string; userId: string | null; stripeCustomerId: string }

/** Rows of a customer that follow the provider; `updatedAt` says only when they were written. */
const rowsOf: Record<keyof Mended, string> = {
  subscriptions: 'select *, null as updatedAt from subscriptions where customerId = ?',
  invoices: 'select * from provider_invoices where customerId = ?',
  refunds: 'select * from provider_refunds where customerId = ?',
  cards: 'select *, customerId as id, null as updatedAt from payment_methods where customerId = ?',
  users: `select users.id, isMember, membershipTier, stripeSubscriptionId, users.stripeCustomerId from users
    join customers on customers.userId = users.id where customers.id = ?`,
}
const kinds = ['subscriptions', 'invoices', 'refunds', 'cards', 'users'] as const satisfies (keyof Mended)[]

type Rows = Map<string, string>
const readRows = (ctx: Context, kind: keyof Mended, customerId: string): Rows =>
  new Map(
    ctx.sqlite
      .prepare<[string], { id: string }>(rowsOf[kind])
      .all(customerId)
      .map((row) => [row.id, JSON.stringify(row)]),
  )

const countChanges = (before: Rows, after: Rows) =>
  [...new Set([...before.keys(), ...after.keys()])].filter((id) => before.get(id) !== after.get(id)).length

export const nothingMended = (): Mended => ({ subscriptions: 0, invoices: 0, refunds: 0, cards: 0, users: 0 })
export const mendedRows = (mended: Mended) => kinds.reduce((sum, kind) => sum + mended[kind], 0)

/** Reads a customer afresh and tells which of his rows were not as the provider says; where any were, it is recorded. */
export async function repairCustomer(ctx: Context, customer: DriftingCustomer): Promise<Mended> {
  const before = kinds.map((kind) => readRows(ctx, kind, customer.id))
  await syncCustomer(ctx, customer.stripeCustomerId)
  const mended = nothingMended()
  for (const [place, kind] of kinds.entries()) {
    mended[kind] = countChanges(before[place] ?? new Map(), readRows(ctx, kind, customer.id))
  }
  if (mendedRows(mended) > 0) {
    audit(ctx, 'system', 'customer.mended', { targetId: customer.userId ?? customer.id, detail: mended })
    ctx.log.warn('customer mended', { customer: customer.id, ...mended })
  }
  return mended
}

/** The same for one person, as an owner asks for it. */
export async function syncMember(ctx: Context, owner: Owner, idOrEmail: string): Promise<MemberSync> {
  const row = ctx.sqlite
    .prepare<[string, string], { memberId: string; customerId: string | null; stripeCustomerId: string | null }>(
      `select users.id as memberId, customers.id as customerId, customers.stripeCustomerId from users
       left join customers on customers.userId = users.id where users.id = ? or users.email = ?`,
    )
    .get(idOrEmail, idOrEmail.toLowerCase())
  if (row === undefined) throw notFound('This member')
  const { memberId, customerId, stripeCustomerId } = row
  audit(ctx, owner.actor, 'member.sync', { targetId: memberId })
  if (customerId === null || stripeCustomerId === null) {
    return { memberId, hasCustomer: false, mended: nothingMended() }
  }
  try {
    const mended = await repairCustomer(ctx, { id: customerId, userId: memberId, stripeCustomerId })
    return { memberId, hasCustomer: true, mended }
  } catch (error) {
    throw toAppError(ctx, error)
  }
}
