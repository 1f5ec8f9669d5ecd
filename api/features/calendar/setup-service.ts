import { asc, eq } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { insertRow, upsert } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { callAllowances, callDays, callFeeds, callHours, callRules } from '#api/db/schema/calendar.ts'
import { notFound, versionConflict } from '#api/errors.ts'
import { findAccount } from '#api/features/auth/queries.ts'
import { invalidateResponses } from '#api/http/response-cache.ts'
import type { Owner } from '#api/http/session.ts'
import type { Done } from '#shared/contract/auth.ts'
import {
  type CallAllowanceRequest,
  type CallDaysRequest,
  type CallHours,
  type CallKind,
  type CallRules,
  type CallSetup,
  callKinds,
  weekdays,
} from '#shared/contract/calendar.ts'
import type { SiteContent } from '#shared/contract/site-content.ts'
import { londonDay } from '#shared/rules/london.ts'
import { coachesOf, findHours, listDaysFrom, listHours, listRules, listSetHours } from './queries.ts'

export function readSetup(ctx: Context): CallSetup {
  return {
    coaches: coachesOf(ctx).map(({ id, name }) => ({ id, name })),
    hours: listSetHours(ctx).toSorted(
      (one, other) =>
        one.coach.localeCompare(other.coach) ||
        callKinds.indexOf(one.kind) - callKinds.indexOf(other.kind) ||
        weekdays.indexOf(one.weekday) - weekdays.indexOf(other.weekday),
    ),
    rules: listRules(ctx),
    days: listDaysFrom(ctx, londonDay(ctx.billingNow())),
  }
}

/** The content with the coaches whose calls can be booked here, in the content's order. */
export function withOwnCalendar(ctx: Context, site: SiteContent): SiteContent {
  const hours = listHours(ctx)
  const calls: Partial<Record<CallKind, string[]>> = {}
  for (const kind of callKinds) {
    const ids = site.coaches
      .map(({ id }) => id)
      .filter((id) => hours.some((row) => row.coach === id && row.kind === kind))
    if (ids.length > 0) calls[kind] = ids
  }
  return { ...site, calls }
}

/**
 * Sets the times of one weekday; none ends them. What is booked stays booked. The same times sent again, because their answer was lost, are
 * no conflict with themselves.
 */
export function setHours(ctx: Context, owner: Owner, { version, windows, ...day }: CallHours): CallHours {
  const { coach, kind, weekday } = day
  assertCoach(ctx, coach)
  const sorted = windows.toSorted((one, other) => one.opens.localeCompare(other.opens))
  const saved = transact(ctx, () => {
    const stored = findHours(ctx, day)
    const current = { ...day, windows: stored?.windows ?? [], version: stored?.version ?? 0 }
    if (JSON.stringify(sorted) === JSON.stringify(current.windows)) return current
    if (version !== current.version) throw versionConflict({ sent: { ...day, windows: sorted, version }, current })
    const changed = { windows: sorted, version: version + 1, updatedAt: ctx.now().toISOString() }
    if (stored === undefined) insertRow(ctx, callHours, { id: ctx.newId(), ...day, ...changed })
    else ctx.db.update(callHours).set(changed).where(eq(callHours.id, stored.id)).run()
    audit(ctx, owner.actor, 'calendar.hours', { targetId: coach, detail: { kind, weekday, windows: sorted } })
    return { ...day, windows: sorted, version: changed.version }
  })
  invalidateResponses(ctx)
  return saved
}

export function setRules(ctx: Context, owner: Owner, rules: CallRules): Done {
  transact(ctx, () => {
    upsert(ctx, callRules, { ...rules, updatedAt: ctx.now().toISOString() })
    audit(ctx, owner.actor, 'calendar.rules', { targetId: rules.kind, detail: rules })
  })
  return { success: true }
}

export function addDaysOff(ctx: Context, owner: Owner, request: CallDaysRequest): { id: string } {
  if (request.coach !== null) assertCoach(ctx, request.coach)
  const id = ctx.newId()
  transact(ctx, () => {
    insertRow(ctx, callDays, { ...request, id, createdAt: ctx.now().toISOString() })
    audit(ctx, owner.actor, 'calendar.days', { targetId: id, detail: request })
  })
  return { id }
}

export function deleteDaysOff(ctx: Context, owner: Owner, id: string): Done {
  return transact(ctx, () => {
    if (ctx.db.delete(callDays).where(eq(callDays.id, id)).run().changes === 0) throw notFound('This entry')
    audit(ctx, owner.actor, 'calendar.days-deleted', { targetId: id })
    return { success: true }
  })
}

/** One more call for a member in a month. */
export function allowCall(ctx: Context, owner: Owner, { email, kind, month }: CallAllowanceRequest): Done {
  const account = findAccount(ctx, email)
  if (account === undefined) throw notFound('This member')
  return transact(ctx, () => {
    const id = ctx.newId()
    insertRow(ctx, callAllowances, { id, userId: account.id, kind, month, createdAt: ctx.now().toISOString() })
    audit(ctx, owner.actor, 'calendar.call-added', { targetId: account.id, detail: { kind, month } })
    return { success: true }
  })
}

export const listFeeds = (ctx: Context): { id: string; coach: string | null; createdAt: string }[] =>
  ctx.db
    .select({ id: callFeeds.id, coach: callFeeds.coach, createdAt: callFeeds.createdAt })
    .from(callFeeds)
    .orderBy(asc(callFeeds.id))
    .all()

function assertCoach(ctx: Context, id: string): void {
  if (!coachesOf(ctx).some((coach) => coach.id === id)) throw notFound('This coach')
}
