import { type AnyColumn, and, eq, exists, isNotNull, like, or, sql } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { auditEntries } from '#api/db/schema/audit.ts'
import { customers } from '#api/db/schema/customers.ts'
import { mailOptOuts, users } from '#api/db/schema/people.ts'
import { isKnownAddress } from '#api/features/accounts/login/queries.ts'
import { setOverride } from '#api/features/members/access-service.ts'
import { eraseAccount } from '#api/features/profile/removal-service.ts'
import { findUserByEmail } from '#api/features/subscriptions/obstacle-queries.ts'
import type { AdoptionRefusal } from '#shared/contract/subscription-link.ts'
import type { AdoptionFacts } from '#shared/rules/adoption.ts'
import type { AppliedRow, ImportTask } from './kind-rules.ts'
import { splitName } from './members-rules.ts'
import type { StripeRow } from './stripe-account-service.ts'

type Person = Pick<AdoptionFacts, 'name'> & { email: string }

/** Makes an account. They get emails about their membership alone, because Stripe doesn't know what else they wanted. */
export function addAccount(ctx: Context, { email, name }: Person, { id: importId, actor }: ImportTask): string {
  return transact(ctx, () => {
    const [id, at] = [ctx.newId(), ctx.now().toISOString()]
    const { firstName, lastName } = splitName(name ?? '')
    const named = { firstName: firstName.slice(0, 100) || null, lastName: lastName.slice(0, 100) || null }
    insertRow(ctx, users, { id, email, ...named, createdAt: at, updatedAt: at })
    insertRow(ctx, mailOptOuts, { userId: id, purpose: 'check-in', at })
    audit(ctx, actor, 'member.added', { targetId: id, detail: { import: importId } })
    return id
  })
}

/** Whether this import made it, before a crash or while Stripe couldn't be reached. */
export function isAccountOf({ db }: Context, userId: string, { id: importId }: ImportTask): boolean {
  const { id, targetId, action, detail } = auditEntries
  const isOfImport = sql`${detail} ->> '$.import' = ${importId}`
  const added = and(eq(targetId, userId), eq(action, 'member.added'), isOfImport)
  return db.select({ id }).from(auditEntries).where(added).get() !== undefined
}

/** Reasons that leave nothing to bridge: they have access otherwise, or never paid for a membership. */
const withoutBridge: readonly AdoptionRefusal[] = ['not_a_tier', 'no_tier', 'owner', 'has_membership', 'not_theirs']
const paidStatuses: readonly string[] = ['active', 'canceled', 'past_due']

/** Until when someone who isn't adopted has paid. Null if they haven't, or if we don't know who they are. */
export function paysUntil(ctx: Context, { facts, refusal }: StripeRow & { refusal: AdoptionRefusal }): string | null {
  const { email, status, paidUntil, isCustomerDeleted } = facts
  if (email === null || isCustomerDeleted || withoutBridge.includes(refusal)) return null
  // The running period of one that's past due isn't paid.
  if (!paidStatuses.includes(status) || status === 'past_due') return null
  const isKnownOwner = findUserByEmail(ctx, email) === undefined && isKnownAddress(ctx, email)
  return paidUntil !== null && paidUntil > ctx.billingNow().toISOString() && !isKnownOwner ? paidUntil : null
}

const [given, made] = ['free-access:', 'free-account:']

/** The account that was made for free access, of a row's `madeId`. */
export const freeAccountOf = (madeId: AnyColumn) =>
  sql`case when ${madeId} like ${`${made}%`} then substr(${madeId}, ${made.length + 1}) end`

/** Whether a row's `madeId` is of free access. */
export const hasFreeAccess = (madeId: AnyColumn) => or(like(madeId, `${given}%`), like(madeId, `${made}%`))

export const isFreeAccess = (madeId: string) => madeId.startsWith(given) || madeId.startsWith(made)

/** Its `madeId` is what an undo needs. Leaves an owner's own word on someone's access alone. */
export function giveFreeAccess(ctx: Context, row: StripeRow & { until: string }, task: ImportTask): AppliedRow {
  const { facts, tier, until } = row
  const { email } = facts
  if (email === null || tier === null || tier === 'none') return { madeId: null }
  return transact(ctx, () => {
    const known = findUserByEmail(ctx, email)
    const id = known?.id ?? addAccount(ctx, { ...facts, email }, task)
    const { accessOverride } = ctx.db.select().from(users).where(eq(users.id, id)).get() ?? { accessOverride: null }
    if (accessOverride !== null)
      return { madeId: null, reason: `${facts.id}: You’d set their access yourself by then, so we left it.` }
    setOverride(ctx, id, { override: 'granted', until, tier })
    audit(ctx, task.actor, 'member.free_access', { targetId: id, detail: { until } })
    return { madeId: `${known === undefined ? made : given}${id}` }
  })
}

/** Takes out an account made for a subscription that couldn't be adopted after all. */
export const removeMadeAccount = (ctx: Context, userId: string) => endFreeAccess(ctx, `${made}${userId}`)

/** Ends it, with the account if it was made for it, unless they've been here since. */
export function endFreeAccess(ctx: Context, madeId: string): 'undone' | 'used' {
  return transact(ctx, () => {
    const id = madeId.slice(madeId.indexOf(':') + 1)
    const person = ctx.db.select().from(users).where(eq(users.id, id)).get()
    if (person === undefined) return 'undone'
    const hasCustomer = exists(
      ctx.db.select({ id: customers.id }).from(customers).where(eq(customers.userId, users.id)),
    )
    const isUsed = or(isNotNull(users.lastSeenAt), isNotNull(users.passwordHash), hasCustomer)
    const used = ctx.db
      .select()
      .from(users)
      .where(and(eq(users.id, id), isUsed))
      .get()
    if (madeId.startsWith(made) && used !== undefined) return 'used'
    if (madeId.startsWith(made)) eraseAccount(ctx, person)
    else if (person.accessOverride === 'granted') setOverride(ctx, id, { override: null, until: null })
    return 'undone'
  })
}
