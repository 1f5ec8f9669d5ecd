import { and, like, lt } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { auditEntries } from '#api/db/schema/audit.ts'
import { keyedHash } from '#api/secrets.ts'
import { rateLimits, recordHitIfAllowed } from '#api/serving/rate-limits.ts'
import type { AuditAction } from '#shared/contract/audit.ts'
import { dayMs } from '#shared/rules/durations.ts'

type AuthAction = Extract<AuditAction, `auth.${string}`>

type AuthEvent = {
  /** Null if no one is logged in. The account may not exist. */
  userId: string | null
  address: string
  /** What was typed, if it matched no account. */
  email?: string
  name?: string
}

const retentionDays = 400

/** Addresses are keyed hashes: two entries from one place match without revealing it. Records unknown emails like known ones. */
export function auditAuth(ctx: Context, action: AuthAction, { userId, address, email, name }: AuthEvent): void {
  const detail = {
    address: keyedHash(ctx, 'audit-address', address),
    ...(email === undefined ? {} : { account: keyedHash(ctx, 'audit-account', email) }),
    ...(name === undefined ? {} : { name }),
  }
  audit(ctx, userId === null ? 'visitor' : `user:${userId}`, action, { targetId: userId, detail })
}

/** A failed login may well be a stranger's. Records a flood only up to a limit, not row by row. */
export function auditFailure(ctx: Context, action: 'auth.failed' | 'auth.locked', event: AuthEvent): void {
  transact(ctx, () => {
    if (recordHitIfAllowed(ctx, rateLimits.auditedFailures(action, event.userId))) auditAuth(ctx, action, event)
  })
}

/** The same for requests that need no login. `account` is the account concerned, even if the entry must not show it. */
export function auditRequest(
  ctx: Context,
  action: 'auth.code_asked' | 'auth.reset_requested',
  event: AuthEvent & { account: string | null },
): void {
  if (recordHitIfAllowed(ctx, rateLimits.auditedRequests(action, event.account))) auditAuth(ctx, action, event)
}

/** Deletes these entries once they're too old to matter. Entries about members and money stay. */
export function deleteOldAuthEntries(ctx: Context): number {
  const before = new Date(ctx.now().getTime() - retentionDays * dayMs).toISOString()
  const isOld = and(lt(auditEntries.at, before), like(auditEntries.action, 'auth.%'))
  return ctx.db.delete(auditEntries).where(isOld).run().changes
}
