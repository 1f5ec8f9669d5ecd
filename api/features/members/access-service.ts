import { eq, sql } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { users } from '#api/db/schema/people.ts'
import { AppError, memberNotFound, versionConflict } from '#api/errors.ts'
import { endAllSessions, forgetDevices } from '#api/features/accounts/login/session-service.ts'
import { cancelMembership } from '#api/features/billing/cancellation/service.ts'
import { onBehalfOf, toldAboutMember } from '#api/features/billing/on-behalf-service.ts'
import { accessOfUser } from '#api/identity/access-queries.ts'
import { refreshMembershipColumns } from '#api/identity/membership-columns.ts'
import type { Owner } from '#api/identity/person.ts'
import { assertOwnerProven } from '#api/identity/proof.ts'
import type { FreeAccess } from '#shared/contract/member-record.ts'
import type { AdminMemberDetail } from '#shared/contract/members.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { addDays, londonDay, londonInstant } from '#shared/rules/london.ts'
import type { AccessOverride } from '#shared/rules/membership.ts'
import { findMember } from './queries.ts'

/**
 * Billing continues. A revoked person is logged out everywhere, but can log in again to see why, and cancel. `wanted` sets the
 * access, so that two owners acting together both get what they meant. Without it, toggles.
 */
function overrideAccess(
  ctx: Context,
  owner: Owner,
  { memberId, wanted }: { memberId: string; wanted: boolean | undefined },
): AdminMemberDetail {
  return transact(ctx, () => {
    const member = ownMember(ctx, memberId)
    const { subscriptionGivesAccess, hasAccess } = accessOfUser(ctx, member.id)
    const isMember = wanted ?? !hasAccess
    // Access may be free until a day. Don't make it permanent.
    if (isMember && hasAccess) return member
    const override = isMember ? (subscriptionGivesAccess ? null : 'granted') : 'revoked'
    setOverride(ctx, member.id, { override, until: null })
    if (override === 'revoked') {
      endAllSessions(ctx, member.id, { cause: 'access' })
      forgetDevices(ctx, member.id)
    }
    audit(ctx, owner.actor, isMember ? 'member.restore_access' : 'member.revoke_access', {
      targetId: member.id,
      detail: { override },
    })
    return findMember(ctx, member.id) ?? member
  })
}

/** `cancels` first ends the membership with its paid period. If that fails, nothing changes. */
export async function changeAccess(
  ctx: Context,
  owner: Owner,
  { cancels, ...asked }: { memberId: string; wanted: boolean | undefined; cancels: boolean | undefined },
): Promise<AdminMemberDetail> {
  assertMayTakeAccess(ctx, owner, asked)
  if (cancels === true) {
    const { id } = ownMember(ctx, asked.memberId)
    await toldAboutMember('Nothing has changed.', () => cancelMembership(ctx, onBehalfOf(ctx, owner, id)))
  }
  return overrideAccess(ctx, owner, asked)
}

/** Someone who pays would be shut out of what they've paid for, and owed it back. */
function assertMayTakeAccess(
  ctx: Context,
  owner: Owner,
  { memberId, wanted }: { memberId: string; wanted: boolean | undefined },
): void {
  const { subscriptionGivesAccess, hasAccess } = accessOfUser(ctx, ownMember(ctx, memberId).id)
  if (subscriptionGivesAccess && hasAccess && wanted !== true) assertOwnerProven(ctx, owner)
}

type Given = { memberId: string; until: string | null; version: number }

/** Gives free access until the end of a day or for good, whatever the subscription does. A repeat isn't a conflict. */
export function giveFreeAccess(ctx: Context, owner: Owner, { memberId, until, version }: Given): AdminMemberDetail {
  return transact(ctx, () => {
    const member = ownMember(ctx, memberId)
    if (until !== null && until < londonDay(ctx.billingNow())) {
      const sentence = 'The last day can’t be before today.'
      throw new AppError('invalid', sentence, { fields: { until: sentence } })
    }
    const end = until === null ? null : londonInstant(addDays(until, 1), '00:00').toISOString()
    const { freeAccess } = readFreeAccess(ctx, member.id)
    if (freeAccess !== null && freeAccess.until === until) return member
    assertSeen(ctx, member.id, { until, version })
    setOverride(ctx, member.id, { override: 'granted', until: end })
    audit(ctx, owner.actor, 'member.free_access', { targetId: member.id, detail: { until } })
    return ownMember(ctx, member.id)
  })
}

export function readFreeAccess(ctx: Context, userId: string): FreeAccess {
  const { isGranted, freeUntil } = accessOfUser(ctx, userId)
  const stored = ctx.db.select({ version: users.accessVersion }).from(users).where(eq(users.id, userId)).get()
  return { freeAccess: isGranted ? { until: freeUntil } : null, version: stored?.version ?? 1 }
}

/** Refuses a change based on access the other owner has changed since. */
function assertSeen(ctx: Context, userId: string, sent: { until?: string | null; version: number }): void {
  const current = readFreeAccess(ctx, userId)
  if (sent.version !== current.version) throw versionConflict({ sent, current })
}

/** From now on only the subscription decides. Does nothing without free access. */
export function endFreeAccess(
  ctx: Context,
  owner: Owner,
  { memberId, version }: { memberId: string; version?: number | undefined },
): AdminMemberDetail {
  return transact(ctx, () => {
    const member = ownMember(ctx, memberId)
    if (!accessOfUser(ctx, member.id).isGranted) return member
    if (version !== undefined) assertSeen(ctx, member.id, { version })
    setOverride(ctx, member.id, { override: null, until: null })
    audit(ctx, owner.actor, 'member.free_access_ended', { targetId: member.id })
    return ownMember(ctx, member.id)
  })
}

function ownMember(ctx: Context, memberId: string): AdminMemberDetail {
  const member = findMember(ctx, memberId)
  if (member === null) throw memberNotFound()
  if (member.isAdmin) throw new AppError('conflict', 'Owners have access without a membership.')
  return member
}

type Override = { override: AccessOverride; until: string | null; tier?: TierSlug | null }

/** Call it in the caller's transaction. Free access keeps the tier it was given for, unless it's given for another. */
export function setOverride(ctx: Context, id: string, { override, until, tier = null }: Override): void {
  const accessTier = override === 'granted' ? (tier ?? sql`${users.accessTier}`) : null
  const updatedAt = ctx.now().toISOString()
  const accessVersion = sql`${users.accessVersion} + 1`
  ctx.db
    .update(users)
    .set({ accessOverride: override, accessUntil: until, accessTier, accessVersion, updatedAt })
    .where(eq(users.id, id))
    .run()
  refreshMembershipColumns(ctx, id)
}
