import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as v from 'valibot'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { belongsToUser, customerBelongsTo, listCustomersOfUser } from '#api/db/customers.ts'
import { isNoneOf, jsonFieldOf } from '#api/db/expressions.ts'
import { type Db, transact } from '#api/db/open.ts'
import { countWhere } from '#api/db/query.ts'
import { auditEntries } from '#api/db/schema/audit.ts'
import { commissionLedger } from '#api/db/schema/commission.ts'
import { customers } from '#api/db/schema/customers.ts'
import { inboxNotes, membershipApplications } from '#api/db/schema/forms.ts'
import { mailRefusals } from '#api/db/schema/imports.ts'
import { memberInvitations } from '#api/db/schema/invitations.ts'
import { creditNotes, invoices } from '#api/db/schema/invoices.ts'
import { mailOutbox } from '#api/db/schema/mail.ts'
import { ownerAddresses, users } from '#api/db/schema/people.ts'
import { paymentMethods } from '#api/db/schema/provider.ts'
import { renewalNotices } from '#api/db/schema/renewal-notices.ts'
import { passwordResets, sessions } from '#api/db/schema/sessions.ts'
import { cancellations, endedStatuses, purchaseAttempts, subscriptions } from '#api/db/schema/subscriptions.ts'
import { videoProgress } from '#api/db/schema/videos.ts'
import { AppError, memberNotFound } from '#api/errors.ts'
import { assertStillLoggedIn, endAllSessions, isStillLoggedIn } from '#api/features/accounts/login/session-service.ts'
import { syncCustomer, writeMissingCustomer } from '#api/features/reconcile/service.ts'
import { endAllSubscriptions } from '#api/features/subscriptions/provider-service.ts'
import { deleteLostCustomers } from '#api/features/subscriptions/unknown-customers-service.ts'
import type { Authorized } from '#api/identity/authorized.ts'
import type { Owner, Person } from '#api/identity/person.ts'
import { toAppError } from '#api/stripe/errors.ts'
import { lookingAgain } from '#api/stripe/look-again.ts'
import type { ErrorCode } from '#shared/contract/error.ts'
import { MemberRemoval } from '#shared/contract/members.ts'
import { isFinalMailOf, keepFinalMails } from './final-mails.ts'

/** Keeps only the customer rows with their payments. Call it in the transaction that checked nothing is live. */
export function eraseAccount(ctx: Context, { id, email }: { id: string; email: string }): void {
  const { db } = ctx
  keepFinalMails(ctx, { id, email })
  endAllSessions(ctx, id, { cause: 'removed' })
  db.delete(paymentMethods)
    .where(belongsToUser(db, paymentMethods.customerId, id))
    .run()
  db.delete(cancellations)
    .where(belongsToUser(db, cancellations.customerId, id))
    .run()
  db.delete(renewalNotices)
    .where(belongsToUser(db, renewalNotices.customerId, id))
    .run()
  db.update(customers)
    .set({ removedAt: ctx.now().toISOString(), emailAtStripe: null })
    .where(customerBelongsTo(id))
    .run()
  const { closedAt, outcome, request } = purchaseAttempts
  db.update(purchaseAttempts)
    .set({
      closedAt: sql`coalesce(${closedAt}, ${ctx.billingNow().toISOString()})`,
      outcome: sql`coalesce(${outcome}, 'removed')`,
      request: sql`json_set(${request}, '$.customer.email', '', '$.customer.name', '')`,
    })
    .where(eq(purchaseAttempts.userId, id))
    .run()
  db.delete(inboxNotes)
    .where(and(eq(inboxNotes.aboutId, id), eq(inboxNotes.about, 'members')))
    .run()
  db.delete(memberInvitations).where(eq(memberInvitations.email, email)).run()
  db.delete(passwordResets).where(eq(passwordResets.email, email)).run()
  db.delete(mailRefusals).where(eq(mailRefusals.address, email)).run()
  // A delayed link may predate the account, so its audit entry only has the address.
  const { detail } = auditEntries
  db.update(auditEntries)
    .set({ detail: sql`json_remove(${detail}, '$.email')` })
    .where(eq(jsonFieldOf(detail, 'email'), email))
    .run()
  db.delete(users).where(eq(users.id, id)).run()
}

type Removed = { id: string; email: string }

/** `notDone` is the error message's wording. `by` is the login removing its own account. */
type RemovalRequest = { memberId: string; dryRun: boolean; notDone?: string; by?: Authorized<Person> }

const rounds = 3

/** Ends everything at the provider, then deletes all about the person. Payments stay. On a repeat, returns what was done. */
export async function removeMember(
  ctx: Context,
  owner: Pick<Owner, 'actor'>,
  { memberId, dryRun, notDone = 'The member hasn’t been removed.', by }: RemovalRequest,
): Promise<MemberRemoval> {
  const member = findMember(ctx, memberId)
  if (member === null) return earlierRemoval(ctx, memberId)
  const plan = planRemoval(ctx, member)
  if (dryRun) return { ...plan, dryRun }
  if (by !== undefined) assertStillLoggedIn(ctx, by)
  for (let round = 1; round <= rounds; round += 1) {
    await endAtProvider(ctx, member, notDone)
    const removal = transact(ctx, () => eraseMember(ctx, owner, { member, plan, by }))
    if (removal !== null) return removal
  }
  throw new AppError('conflict', `Someone’s paying with this account right now. ${notDone}`)
}

export const removeOwnAccount = (ctx: Context, by: Authorized<Person>): Promise<MemberRemoval> =>
  removeMember(
    ctx,
    { actor: `user:${by.id}` },
    { memberId: by.id, dryRun: false, notDone: 'Your account hasn’t been deleted.', by },
  )

function findMember({ db }: Context, idOrEmail: string): Removed | null {
  const member = db
    .select({ id: users.id, email: users.email, isAdmin: users.isAdmin, ownerRole: ownerAddresses.role })
    .from(users)
    .leftJoin(ownerAddresses, eq(ownerAddresses.userId, users.id))
    .where(or(eq(users.id, idOrEmail), eq(users.email, idOrEmail.toLowerCase())))
    .get()
  if (member === undefined) return null
  if (member.isAdmin || member.ownerRole !== null) throw new AppError('conflict', 'You can’t remove an owner here.')
  return member
}

/** Removed members can only be found by id, because the address is gone. */
function earlierRemoval({ db }: Context, memberId: string): MemberRemoval {
  const { targetId, action, detail } = auditEntries
  const row = db
    .select({ detail })
    .from(auditEntries)
    .where(and(eq(targetId, memberId), eq(action, 'member.removed')))
    .get()
  if (row === undefined) throw memberNotFound()
  return v.parse(MemberRemoval, row.detail)
}

const whyNotEnded: Partial<Record<ErrorCode, string>> = {
  payment_provider_unavailable: 'Payments are down right now, so we couldn’t end the membership.',
  unanswered: 'We don’t know yet whether the membership has ended.',
}

/** Ends everything live at the provider, whatever our rows say, and syncs, because the books need the result. */
async function endAtProvider(ctx: Context, member: Removed, notDone: string): Promise<void> {
  try {
    await lookingAgain(async () => {
      for (const { stripeCustomerId } of listCustomersOfUser(ctx, member.id)) {
        if (await endAllSubscriptions(ctx, stripeCustomerId)) await syncCustomer(ctx, stripeCustomerId)
        else writeMissingCustomer(ctx, stripeCustomerId)
      }
      await deleteLostCustomers(ctx, member.id)
    })
  } catch (error) {
    const known = toAppError(ctx, error, 'change')
    if (!(known instanceof AppError)) throw error
    const why = whyNotEnded[known.code] ?? 'We couldn’t end the membership.'
    throw new AppError(known.code, `${why} ${notDone} Try again in a few minutes.`)
  }
}

const isLiveOf = (db: Db, userId: string) =>
  and(belongsToUser(db, subscriptions.customerId, userId), isNoneOf(subscriptions.status, ...endedStatuses))

/** Null if a subscription started since. Throws if `by` is logged out: the mailbox's owner may have taken over the account. */
function eraseMember(
  ctx: Context,
  { actor }: Pick<Owner, 'actor'>,
  { member, plan, by }: { member: Removed; plan: MemberRemoval; by: Person | undefined },
): MemberRemoval | null {
  const { id } = member
  const found = findMember(ctx, id)
  if (found === null) return earlierRemoval(ctx, id)
  if (by !== undefined && !isStillLoggedIn(ctx, by)) throw endedMeanwhile()
  if (countWhere(ctx, subscriptions, isLiveOf(ctx.db, id)) > 0) return null
  const removal = { ...planRemoval(ctx, found), subscriptions: plan.subscriptions }
  eraseAccount(ctx, found)
  audit(ctx, actor, 'member.removed', { targetId: id, detail: removal })
  return removal
}

const endedMeanwhile = () =>
  new AppError(
    'unauthenticated',
    'You’ve been logged out. Your account hasn’t been deleted, but any membership it had has ended. Log in again.',
  )

function planRemoval(ctx: Context, { id, email }: Removed): MemberRemoval {
  const { db } = ctx
  const rows = (table: SQLiteTable, where: SQL | undefined) => countWhere(ctx, table, where)
  const unsentMails = rows(mailOutbox, isFinalMailOf(id))
  const ofMember = belongsToUser(db, invoices.customerId, id)
  return {
    success: true as const,
    dryRun: false,
    memberId: id,
    subscriptions: rows(subscriptions, isLiveOf(db, id)),
    goes: {
      sessions: rows(sessions, eq(sessions.userId, id)),
      progress: rows(videoProgress, eq(videoProgress.userId, id)),
      mails: rows(mailOutbox, eq(mailOutbox.userId, id)) - unsentMails,
    },
    stays: {
      invoices: rows(invoices, ofMember),
      creditNotes: rows(
        creditNotes,
        inArray(creditNotes.invoiceId, db.select({ id: invoices.id }).from(invoices).where(ofMember)),
      ),
      commissionLines: rows(commissionLedger, belongsToUser(db, commissionLedger.customerId, id)),
      applications: rows(membershipApplications, eq(membershipApplications.email, email)),
      unsentMails,
    },
  }
}
