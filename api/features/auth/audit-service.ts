import { and, like, lt } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { auditEntries } from '#api/db/schema/audit.ts'
import { rateLimits, recordHitIfAllowed } from '#api/http/rate-limits.ts'
import { keyedHash } from '#api/secrets.ts'
import type { AuditAction } from '#shared/contract/audit.ts'

type AuthAction = Extract<AuditAction, `auth.${string}`>

type AuthEvent = {
  /** Null where nobody is logged in, and there may be no such account. */
  userId: string | null
  address: string
  /** What was typed, where nobody was found by it. */
  email?: string
  name?: string
}

const retentionDays = 400

/**
 * Records what opens or closes an account. Addresses go in as keyed hashes: two entries of one place can be told, and
 * nobody learns the place. An address that nobody has is recorded like one that somebody has.
 */
export function auditAuth(ctx: Context, action: AuthAction, { userId, address, email, name }: AuthEvent): void {
  const detail = {
    address: keyedHash(ctx, 'audit-address', address),
    ...(email === undefined ? {} : { account: keyedHash(ctx, 'audit-account', email) }),
    ...(name === undefined ? {} : { name }),
  }
  audit(ctx, userId === null ? 'visitor' : `user:${userId}`, action, { targetId: userId, detail })
}

/** A failed login is a stranger's as likely as the member's own. A flood is recorded up to a limit, not row by row. */
export function auditFailure(ctx: Context, action: 'auth.failed' | 'auth.locked', event: AuthEvent): void {
  if (!recordHitIfAllowed(ctx, rateLimits.auditedFailures(action, event.userId))) return
  auditAuth(ctx, action, event)
}

/** The same of what anybody can ask for; `account` is whose it is, also where the entry is to tell nobody. */
export function auditRequest(
  ctx: Context,
  action: 'auth.code_asked' | 'auth.reset_requested',
  event: AuthEvent & { account: string | null },
): void {
  if (recordHitIfAllowed(ctx, rateLimits.auditedRequests(action, event.account))) auditAuth(ctx, action, event)
}

/** Deletes these entries when they are older than anybody asks about; what was done to members and money stays. */
export function deleteOldAuthEntries(ctx: Context): number {
  const before = new Date(ctx.now().getTime() - retentionDays * 86_400_000).toISOString()
  const isOld = and(lt(auditEntries.at, before), like(auditEntries.action, 'auth.%'))
  return ctx.db.delete(auditEntries).where(isOld).run().changes
}
