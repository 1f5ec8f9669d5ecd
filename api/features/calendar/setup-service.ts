import { asc, eq } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { insertRow, upsert } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { callAllowances, callDays, callFeeds, callHours, callRules } from '#api/db/schema/calendar.ts'
import { users } from '#api/db/schema/people.ts'
import { memberNotFound, notFound, versionConflict } from '#api/errors.ts'
import { findAccount } from '#api/features/accounts/login/queries.ts'
import type { Owner } from '#api/identity/person.ts'
import { invalidateResponses } from '#api/serving/kept-answers.ts'
import type { Done } from '#shared/contract/auth.ts'
import type {
  CallAllowanceRequest,
  CallDaysRequest,
  CallHours,
  CallRules,
  CallSetup,
  CallWindow,
} from '#shared/contract/calendar.ts'
import { type CallKind, callKinds, weekdays } from '#shared/contract/call-kind.ts'
import type { CallFeed, CallWeek } from '#shared/contract/owner-calendar.ts'
import type { SiteContent } from '#shared/contract/site-content.ts'
import { callWeek } from '#shared/rules/call-slots.ts'
import { londonDay } from '#shared/rules/london.ts'
import { nameOrEmail } from '#shared/rules/person-name.ts'
import { coachesOf, findHours, listDaysFrom, listHours, listRules, listSetHours, ofDay } from './queries.ts'
import { assertCoach } from './slots-service.ts'

export function readSetup(ctx: Context): CallSetup {
  return {
    now: ctx.billingNow().toISOString(),
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

/** The content with the coaches who take bookings here, in the content's order. */
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

/** Sets one weekday's times. An empty list ends them. Existing bookings stay. A repeat isn't a conflict. */
export function setHours(ctx: Context, owner: Owner, { version, windows, ...day }: CallHours): CallHours {
  assertCoach(ctx, day.coach)
  const sorted = inOrder(windows)
  const saved = transact(ctx, () => {
    const stored = findHours(ctx, day)
    const current = { ...day, windows: stored?.windows ?? [], version: stored?.version ?? 0 }
    if (JSON.stringify(sorted) === JSON.stringify(current.windows)) return current
    if (version !== current.version) throw versionConflict({ sent: { ...day, windows: sorted, version }, current })
    storeHours(ctx, owner, { ...day, windows: sorted, version: version + 1 })
    return { ...day, windows: sorted, version: version + 1 }
  })
  invalidateResponses(ctx, ['pages'])
  return saved
}

const inOrder = (windows: readonly CallWindow[]) =>
  windows.toSorted((one, other) => one.opens.localeCompare(other.opens))

function storeHours(ctx: Context, owner: Owner, { windows, version, ...day }: CallHours): void {
  const changed = { windows, version, updatedAt: ctx.now().toISOString() }
  // The samples' hours have version 0.
  if (findHours(ctx, day) === undefined) insertRow(ctx, callHours, { id: ctx.newId(), ...day, ...changed })
  else ctx.db.update(callHours).set(changed).where(ofDay(day)).run()
  const { coach, kind, weekday } = day
  audit(ctx, owner.actor, 'calendar.hours', { targetId: coach, detail: { kind, weekday, windows } })
}

/** Sets a coach's week for one kind of call. Writes only days that differ. */
export function setWeek(ctx: Context, owner: Owner, { version, days, ...of }: CallWeek): CallWeek {
  assertCoach(ctx, of.coach)
  const saved = transact(ctx, () => {
    const hours = listSetHours(ctx)
    const current = callWeek(hours, of)
    const changed = weekdays.filter(
      (day) => JSON.stringify(inOrder(days[day])) !== JSON.stringify(inOrder(current.days[day])),
    )
    if (changed.length === 0) return current
    if (version !== current.version) throw versionConflict({ sent: { ...of, days, version }, current })
    for (const weekday of changed) {
      const stored = hours.find((row) => row.coach === of.coach && row.kind === of.kind && row.weekday === weekday)
      storeHours(ctx, owner, { ...of, weekday, windows: inOrder(days[weekday]), version: (stored?.version ?? 0) + 1 })
    }
    return callWeek(listSetHours(ctx), of)
  })
  invalidateResponses(ctx, ['pages'])
  return saved
}

/** What all calls of a kind share. If two owners change it together, the second sees both. */
export function setRules(ctx: Context, owner: Owner, { version, ...wanted }: CallRules): CallRules {
  return transact(ctx, () => {
    const current = listRules(ctx).find(({ kind }) => kind === wanted.kind)
    if (current === undefined) throw notFound('This kind of call')
    const names = ['minutes', 'everyMinutes', 'leadMinutes', 'bufferMinutes', 'horizonDays'] as const
    if (names.every((name) => wanted[name] === current[name])) return current
    if (version !== current.version) throw versionConflict({ sent: { ...wanted, version }, current })
    const rules = { ...wanted, version: version + 1 }
    upsert(ctx, callRules, { ...rules, updatedAt: ctx.now().toISOString() })
    audit(ctx, owner.actor, 'calendar.rules', { targetId: rules.kind, detail: wanted })
    return rules
  })
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

export function allowCall(ctx: Context, owner: Owner, { email, kind, month }: CallAllowanceRequest): Done {
  const account = findAccount(ctx, email)
  if (account === undefined) throw memberNotFound()
  return transact(ctx, () => {
    const id = ctx.newId()
    insertRow(ctx, callAllowances, { id, userId: account.id, kind, month, createdAt: ctx.now().toISOString() })
    audit(ctx, owner.actor, 'calendar.call-added', { targetId: account.id, detail: { kind, month } })
    return { success: true }
  })
}

export const listFeeds = (ctx: Context): CallFeed[] =>
  ctx.db
    .select({
      id: callFeeds.id,
      coach: callFeeds.coach,
      createdAt: callFeeds.createdAt,
      owner: { email: users.email, firstName: users.firstName, lastName: users.lastName },
    })
    .from(callFeeds)
    .leftJoin(users, eq(users.id, callFeeds.ownerId))
    .orderBy(asc(callFeeds.id))
    .all()
    .map(({ owner, ...feed }) => ({ ...feed, madeBy: owner && nameOrEmail(owner) }))
