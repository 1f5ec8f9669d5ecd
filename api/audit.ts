import type { Context } from './context.ts'

/** Records who did what to whom; to be called inside the action's transaction. `actor` is `user:ID`, `local:NAME` or `system`. */
export function audit(
  ctx: Context,
  actor: string,
  action: string,
  about: { targetId?: string; detail?: Record<string, unknown> } = {},
): void {
  ctx.sqlite
    .prepare('insert into audit_entries (id, actor, action, targetId, detail, at) values (?, ?, ?, ?, ?, ?)')
    .run(
      ctx.newId(),
      actor,
      action,
      about.targetId ?? null,
      JSON.stringify(about.detail ?? {}),
      ctx.now().toISOString(),
    )
}
