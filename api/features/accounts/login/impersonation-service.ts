import { eq } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { sessions } from '#api/db/schema/sessions.ts'
import { memberNotFound, notFound } from '#api/errors.ts'
import { type Impersonator, type Person, personById, viewedPerson } from '#api/identity/person.ts'
import { viewingMinutes, viewingOnly } from '#api/identity/session-use.ts'

type Wanted = { memberId: string; reason: string | null }

/** Shows this session the site as a member sees it, for a limited time. The audit log records both accounts and the reason. */
export function startImpersonation(ctx: Context, { ownerId, sid, viewedId }: Impersonator, wanted: Wanted): Person {
  const { memberId, reason } = wanted
  if (viewedId !== null) throw viewingOnly()
  const until = new Date(ctx.now().getTime() + viewingMinutes * 60_000).toISOString()
  const viewed = viewedPerson(ctx, memberId, { sid, impersonator: { id: ownerId, until } })
  if (viewed === null) throw memberNotFound()
  transact(ctx, () => {
    setViewed(ctx, sid, { impersonating: { userId: memberId, until } })
    audit(ctx, `user:${ownerId}`, 'impersonation.started', { targetId: memberId, detail: { reason, until } })
  })
  return viewed
}

/** Safe to repeat: also ends a session that expired or never started. */
export function stopImpersonation(ctx: Context, { ownerId, sid, viewedId }: Impersonator): Person {
  return transact(ctx, () => {
    setViewed(ctx, sid, {})
    if (viewedId !== null) audit(ctx, `user:${ownerId}`, 'impersonation.stopped', { targetId: viewedId })
    const owner = personById(ctx, ownerId)
    if (owner === null) throw notFound('Your account')
    return owner
  })
}

function setViewed(ctx: Context, sid: string, sess: (typeof sessions.$inferInsert)['sess']): void {
  ctx.db.update(sessions).set({ sess }).where(eq(sessions.sid, sid)).run()
}
