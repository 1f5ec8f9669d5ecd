import type { Context } from '#api/context.ts'
import { writeUnrelated } from '#api/db/cached-read.ts'
import { isDamaged } from '#api/db/damage.ts'
import { noteTogether } from '#api/db/group-commit.ts'
import { AppError } from '#api/errors.ts'
import { markAsSeen, markAsUsed, type PersonRow, type SessionRow } from './person-queries.ts'
import { sessionLimits } from './session-limits.ts'

/** How far the clocks of two processes may differ. */
const aheadMs = 60_000

/** The latest plausible time for a login or its use. Anything later was written before the clock was set back. */
export const latestTime = (ctx: Context) => ctx.now().getTime() + aheadMs

/** Whether a login has expired. One dated in the future would otherwise outlive every limit. */
export function isOver(ctx: Context, { expire, startedAt, usedAt }: SessionRow): boolean {
  return Date.parse(expire) <= ctx.now().getTime() || Date.parse(usedAt ?? startedAt) > latestTime(ctx)
}

export const viewingMinutes = 30

/** Also true for a view that began while the clock ran ahead, since it would last too long. */
export function isViewingOver(ctx: Context, until: string): boolean {
  const ends = Date.parse(until)
  return ends <= ctx.now().getTime() || ends > latestTime(ctx) + viewingMinutes * 60_000
}

export const viewingOnly = () =>
  new AppError('forbidden', 'You’re viewing as a member, so you can’t change anything. Stop viewing first.')

/** How often we record that a session is in use: often enough for its limit, while sparing most requests a write. */
const seenEverySeconds = 3_600

/** Extends a session that's in use, up to its absolute limit. */
export function recordUse(ctx: Context, sid: string, row: SessionRow): void {
  const now = ctx.now().getTime()
  const { startedAt, usedAt, isAdmin } = row
  if (now - Date.parse(usedAt ?? startedAt) < seenEverySeconds * 1000 || isDamaged(ctx)) return
  const { idleSeconds, longestSeconds } = sessionLimits(isAdmin)
  const expire = Math.min(now + idleSeconds * 1000, Date.parse(startedAt) + longestSeconds * 1000)
  const use = { sid, now: new Date(now).toISOString(), expire: new Date(expire).toISOString() }
  noteUse(ctx, () => markAsUsed.run(ctx, use))
  row.usedAt = use.now
  row.expire = use.expire
}

/** Once an hour at most: enough to find inactive accounts, and it spares most requests a write. The first visit always counts. */
export function recordVisit(ctx: Context, row: PersonRow): void {
  const { id, lastSeenAt } = row
  const now = ctx.now()
  const isRecent = lastSeenAt !== null && now.getTime() - Date.parse(lastSeenAt) <= seenEverySeconds * 1000
  if (isRecent || isDamaged(ctx)) return
  const at = now.toISOString()
  noteUse(ctx, () => markAsSeen.run(ctx, { id, now: at }))
  row.lastSeenAt = at
}

/**
 * Everyone's kept session stays: of the rows that are kept, it changes this one, and the caller writes it there too. If another
 * program holds the lock, its commit drops them all, and the next request notes it.
 */
const noteUse = (ctx: Context, write: () => void): void => noteTogether(ctx, () => writeUnrelated(ctx, write))
