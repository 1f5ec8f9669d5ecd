import * as v from 'valibot'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { customersOf } from '#api/db/whose.ts'
import { AppError, notFound } from '#api/errors.ts'
import { endAllSubscriptions } from '#api/features/billing/cancellation/provider-service.ts'
import { syncCustomer, writeMissingCustomer } from '#api/features/reconcile/service.ts'
import type { Owner } from '#api/http/session.ts'
import { toAppError } from '#api/stripe/errors.ts'
import { MemberRemoval } from '#shared/contract/admin.ts'
import { eraseAccount, isOfHis } from './erasure.ts'
import { isUnsentFarewell } from './farewell.ts'

type Member = { id: string; email: string; isOwner: 0 | 1 }

const rounds = 3

/**
 * Removes a member for ever: what he has at the provider ends first, then everything that is about the person goes, in one
 * transaction. Money stays on his customers' rows, which are nobody's then. Again, it answers what was done.
 */
export async function removeMember(
  ctx: Context,
  owner: Owner,
  { memberId, dryRun }: { memberId: string; dryRun: boolean },
): Promise<MemberRemoval> {
  const member = findMember(ctx, memberId)
  if (member === null) return earlierRemoval(ctx, memberId)
  const plan = planOf(ctx, member)
  if (dryRun) return { ...plan, dryRun }
  const { subscriptions } = plan
  for (let round = 1; round <= rounds; round += 1) {
    await endAtProvider(ctx, member)
    const removal = transact(ctx, () => erase(ctx, owner, { member, subscriptions }))
    if (removal !== null) return removal
  }
  throw new AppError('conflict', 'Something is being bought in this account just now. The member was not removed.')
}

function findMember(ctx: Context, idOrEmail: string): Member | null {
  const member = ctx.sqlite
    .prepare<[string, string], Member>(
      `select id, email, isAdmin = 1 or id in (select userId from owner_addresses where userId is not null) as isOwner
       from users where id = ? or email = ?`,
    )
    .get(idOrEmail, idOrEmail.toLowerCase())
  if (member?.isOwner === 1) throw new AppError('conflict', 'Owners cannot be removed.')
  return member ?? null
}

/** Known by the id alone: nothing is left of the address. */
function earlierRemoval(ctx: Context, memberId: string): MemberRemoval {
  const row = ctx.sqlite
    .prepare<[string], { detail: string }>(
      `select detail from audit_entries where targetId = ? and action = 'member.removed'`,
    )
    .get(memberId)
  if (row === undefined) throw notFound('This member')
  return v.parse(MemberRemoval, JSON.parse(row.detail))
}

/** Ends what is live, whatever our rows say, and reads what came of it: the books need it. */
async function endAtProvider(ctx: Context, member: Member): Promise<void> {
  try {
    for (const { stripeCustomerId } of customersOf(ctx, member.id)) {
      if (await endAllSubscriptions(ctx, stripeCustomerId)) await syncCustomer(ctx, stripeCustomerId)
      else writeMissingCustomer(ctx, stripeCustomerId)
    }
  } catch (error) {
    const known = toAppError(ctx, error)
    if (!(known instanceof AppError)) throw error
    const why =
      known.code === 'payment_provider_unavailable'
        ? 'The payment provider cannot be reached just now.'
        : 'The payment provider has refused to end the membership.'
    throw new AppError(known.code, `${why} The member was not removed. Please try again.`)
  }
}

const live = `subscriptions.status not in ('canceled', 'incomplete_expired')`

const hasLiveRow = (ctx: Context, userId: string): boolean =>
  ctx.sqlite.prepare(`select 1 from subscriptions where ${isOfHis('@userId')} and ${live}`).get({ userId }) !==
  undefined

/** Null where a subscription came to life since the provider was read. */
function erase(
  ctx: Context,
  { actor }: Owner,
  { member, subscriptions }: { member: Member; subscriptions: number },
): MemberRemoval | null {
  const { id } = member
  const found = findMember(ctx, id)
  if (found === null) return earlierRemoval(ctx, id)
  if (hasLiveRow(ctx, id)) return null
  const removal = { ...planOf(ctx, found), subscriptions }
  eraseAccount(ctx, found)
  audit(ctx, actor, 'member.removed', { targetId: id, detail: removal })
  return removal
}

/** What would go and what would stay, from our rows. */
function planOf(ctx: Context, { id, email }: Member): MemberRemoval {
  const count = (from: string) =>
    ctx.sqlite
      .prepare<{ userId: string; email: string }, number>(`select count(*) from ${from}`)
      .pluck()
      .get({ userId: id, email }) ?? 0
  const unsentMails = count(`mail_outbox where ${isUnsentFarewell}`)
  return {
    ...{ success: true as const, dryRun: false, memberId: id },
    subscriptions: count(`subscriptions where ${isOfHis('@userId')} and ${live}`),
    goes: {
      sessions: count('sessions where userId = @userId'),
      progress: count('video_progress where userId = @userId'),
      mails: count('mail_outbox where userId = @userId') - unsentMails,
    },
    stays: {
      invoices: count(`invoices where ${isOfHis('@userId')}`),
      creditNotes: count(`credit_notes join invoices on invoices.id = invoiceId where ${isOfHis('@userId')}`),
      commissionLines: count(`commission_ledger where ${isOfHis('@userId')}`),
      applications: count('membership_applications where email = @email'),
      unsentMails,
    },
  }
}
