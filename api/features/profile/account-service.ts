import { eq } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { users } from '#api/db/schema/people.ts'
import { AppError, memberNotFound, versionConflict } from '#api/errors.ts'
import { moveAddress, noteMove } from '#api/features/accounts/login/mailbox-service.ts'
import { isKnownAddress } from '#api/features/accounts/login/queries.ts'
import { isConfigured } from '#api/features/accounts/owner-queries.ts'
import { billingAddressOf, saveBillingAddress } from '#api/features/billing/purchases/address-service.ts'
import { tellOldAddress } from '#api/features/profile/email-report-service.ts'
import type { Owner } from '#api/identity/person.ts'
import { assertOwnerProven } from '#api/identity/proof.ts'
import { leaveMailbox } from '#api/mail/retry.ts'
import type { BillingAddress } from '#shared/contract/billing.ts'
import type { MemberAddressRequest, MemberProfile, MemberProfileRequest } from '#shared/contract/member-record.ts'
import { fullName } from '#shared/rules/person-name.ts'

export function readProfile(ctx: Context, id: string): MemberProfile {
  const row = ctx.db
    .select({
      id: users.id,
      version: users.version,
      firstName: users.firstName,
      lastName: users.lastName,
      email: users.email,
      phone: users.phone,
      businessName: users.businessName,
      trade: users.trade,
    })
    .from(users)
    .where(eq(users.id, id))
    .get()
  if (row === undefined) throw memberNotFound()
  return row
}

/**
 * A new email moves the account, so it needs a recent password check. A repeat isn't a conflict. The audit log records which fields
 * changed, not their values, which go with the account.
 */
export function changeProfile(
  ctx: Context,
  owner: Owner,
  { memberId, request }: { memberId: string; request: MemberProfileRequest },
): MemberProfile {
  return transact(ctx, () => {
    const current = readProfile(ctx, memberId)
    const { version, unsafeMailbox, ...wanted } = request
    const before: Record<string, unknown> = current
    const fields = Object.entries(wanted).flatMap(([name, value]) => (value === before[name] ? [] : [name]))
    if (fields.length === 0) return current
    if (version !== current.version) throw versionConflict({ sent: { ...wanted, version }, current })
    if (wanted.email !== current.email) {
      assertOwnerProven(ctx, owner)
      leaveAddress(ctx, memberId, { from: current.email, to: wanted.email })
      const change = { userId: memberId, from: current.email, to: wanted.email }
      if (unsafeMailbox === undefined) tellOldAddress(ctx, { ...change, by: nameOf(ctx, owner) })
      // The old mailbox isn't the member's to read, so nothing is sent there.
      else {
        leaveMailbox(ctx, change)
        noteMove(ctx, memberId, change)
      }
    }
    ctx.db
      .update(users)
      .set({ ...wanted, version: version + 1, updatedAt: ctx.now().toISOString() })
      .where(eq(users.id, memberId))
      .run()
    audit(ctx, owner.actor, 'member.profile_changed', {
      targetId: memberId,
      detail: { fields, ...(unsafeMailbox !== undefined && { unsafeMailbox }) },
    })
    return readProfile(ctx, memberId)
  })
}

/** Corrects a member's invoice address and reissues invoices that lacked one. A repeat isn't a conflict. */
export function changeBillingAddress(
  ctx: Context,
  owner: Owner,
  { memberId, address, before }: MemberAddressRequest & { memberId: string },
): BillingAddress {
  return transact(ctx, () => {
    readProfile(ctx, memberId)
    const current = billingAddressOf(ctx, memberId)
    if (isSameAddress(address, current)) return address
    if (!isSameAddress(before, current)) throw versionConflict({ sent: address, current })
    saveBillingAddress(ctx, memberId, address)
    audit(ctx, owner.actor, 'member.profile_changed', { targetId: memberId, detail: { fields: ['billingAddress'] } })
    return address
  })
}

const addressFields = ['line1', 'line2', 'town', 'postcode', 'country'] as const

const isSameAddress = (one: BillingAddress | null, other: BillingAddress | null) =>
  addressFields.every((name) => (one?.[name] || null) === (other?.[name] || null))

/** Why an account can't have this address. An owner the settings name is defined by theirs. */
export function addressProblem(ctx: Context, memberId: string, to: string): string | null {
  if (isConfigured(ctx, memberId)) return 'This address is set on the server. Change it there.'
  return isKnownAddress(ctx, to) ? 'Another account uses this address.' : null
}

function leaveAddress(ctx: Context, memberId: string, { from, to }: { from: string; to: string }): void {
  const problem = addressProblem(ctx, memberId, to)
  if (problem !== null) throw new AppError('invalid', 'Check the marked fields.', { fields: { email: problem } })
  moveAddress(ctx, memberId, { from, to })
}

function nameOf(ctx: Context, { userId }: Owner): string {
  const author = userId === null ? undefined : ctx.db.select().from(users).where(eq(users.id, userId)).get()
  return (author && fullName(author)) || 'A coach'
}
