import { and, desc, eq, gte, isNull, lt, or } from 'drizzle-orm'
import { type Context, perContext } from '#api/context.ts'
import { isDamaged } from '#api/db/damage.ts'
import { incidents } from '#api/db/schema/system.ts'
import { isUnwritable } from '#api/db/storage.ts'
import { readSetting, writeSetting } from '#api/db/stored-settings.ts'
import type { HealthHistory, IncidentPart } from '#shared/contract/health.ts'
import { historyDays } from '#shared/rules/health.ts'
import { addDays, londonDay } from '#shared/rules/london.ts'

/** A row of `settings`: the first day of the records. */
const sinceKey = 'health_since'

/** Trouble that couldn't be written down yet, because the database took no writes. */
const unwritten = perContext(() => new Map<IncidentPart, string>())

/** Before the heartbeat writes: remembers since when the database has taken no writes. */
export function noteStorageTrouble(ctx: Context): void {
  if ((isDamaged(ctx) || isUnwritable(ctx)) && !unwritten(ctx).has('database')) {
    unwritten(ctx).set('database', ctx.now().toISOString())
  }
}

/** After it: begins and ends incidents. `silentSince` is the last heartbeat, if too long ago. */
export function recordIncidents(
  ctx: Context,
  { bad, silentSince }: { bad: ReadonlySet<IncidentPart>; silentSince: string | null },
): void {
  const now = ctx.now().toISOString()
  if (readSetting(ctx, sinceKey) === undefined) writeSetting(ctx, sinceKey, londonDay(ctx.now()))
  if (silentSince !== null) add(ctx, { part: 'site', startedAt: silentSince, endedAt: now })
  for (const [part, startedAt] of unwritten(ctx)) add(ctx, { part, startedAt, endedAt: now })
  unwritten(ctx).clear()
  const open = new Set(openIncidents(ctx))
  for (const part of open) if (!bad.has(part)) end(ctx, part)
  for (const part of bad) if (!open.has(part)) add(ctx, { part, startedAt: now, endedAt: null })
}

const add = (ctx: Context, row: { part: IncidentPart; startedAt: string; endedAt: string | null }) =>
  void ctx.db
    .insert(incidents)
    .values({ id: ctx.newId(), ...row })
    .run()

const openIncidents = ({ db }: Context): IncidentPart[] =>
  db
    .select({ part: incidents.part })
    .from(incidents)
    .where(isNull(incidents.endedAt))
    .all()
    .map(({ part }) => part)

/** Also forgets what's older than the history. */
function end(ctx: Context, part: IncidentPart): void {
  const endedAt = ctx.now().toISOString()
  ctx.db
    .update(incidents)
    .set({ endedAt })
    .where(and(eq(incidents.part, part), isNull(incidents.endedAt)))
    .run()
  ctx.db
    .delete(incidents)
    .where(lt(incidents.endedAt, firstMoment(ctx)))
    .run()
}

const firstMoment = ({ now }: Context) => `${addDays(londonDay(now()), 1 - historyDays)}T00:00:00.000Z`

const shownAtMost = 50

export function readHealthHistory(ctx: Context): HealthHistory {
  const today = londonDay(ctx.now())
  const since = readSetting(ctx, sinceKey)?.value
  const rows = ctx.db
    .select({ part: incidents.part, startedAt: incidents.startedAt, endedAt: incidents.endedAt })
    .from(incidents)
    .where(or(isNull(incidents.endedAt), gte(incidents.endedAt, firstMoment(ctx))))
    .orderBy(desc(incidents.startedAt))
    .limit(shownAtMost)
    .all()
  return { since: typeof since === 'string' ? since : today, today, incidents: rows }
}
