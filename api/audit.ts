import { and, eq, sql } from 'drizzle-orm'
import type { AuditAction } from '#shared/contract/audit.ts'
import type { Context } from './context.ts'
import { insertRow } from './db/insert.ts'
import { auditEntries } from './db/schema/audit.ts'

type Entry = { targetId?: string | null; detail?: Record<string, unknown> }

/** Records who did what to whom. Call it inside the action's transaction. `actor` is `user:ID`, `local:NAME` or `system`. */
export function audit(
  ctx: Context,
  actor: string,
  action: AuditAction,
  { targetId = null, detail = {} }: Entry = {},
): void {
  insertRow(ctx, auditEntries, { id: ctx.newId(), actor, action, targetId, detail, at: ctx.now().toISOString() })
}

/** Like `audit`, for requests that may be repeated after a lost response. Only the first entry with this `wish` is recorded. */
export function auditWish(
  ctx: Context,
  actor: string,
  action: AuditAction,
  { targetId, wish, detail }: { targetId: string; wish: string; detail: Record<string, unknown> },
): void {
  const isWish = sql`${auditEntries.detail} ->> '$.wish' = ${wish}`
  const isKnown = and(eq(auditEntries.targetId, targetId), eq(auditEntries.action, action), isWish)
  const known = ctx.db.select({ id: auditEntries.id }).from(auditEntries).where(isKnown).get()
  if (known === undefined) audit(ctx, actor, action, { targetId, detail: { ...detail, wish } })
}
