import type { Context } from './context.ts'
import { insertRow } from './db/insert.ts'
import { auditEntries } from './db/schema/audit.ts'

/** Records who did what to whom; to be called inside the action's transaction. `actor` is `user:ID`, `local:NAME` or `system`. */
export function audit(
  ctx: Context,
  actor: string,
  action: string,
  { targetId = null, detail = {} }: { targetId?: string | null; detail?: Record<string, unknown> } = {},
): void {
  insertRow(ctx, auditEntries, { id: ctx.newId(), actor, action, targetId, detail, at: ctx.now().toISOString() })
}
