import { eq, getTableColumns } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { dailyCounts } from '#api/db/schema/analytics.ts'
import { coachingApplications, coachingBookings, contacts, membershipApplications } from '#api/db/schema/forms.ts'
import { mailAgreements, users } from '#api/db/schema/people.ts'
import { memberVideos, videoPositions, videoProgress } from '#api/db/schema/videos.ts'
import { tiersOfVideo } from '#api/db/video-tiers.ts'
import { findAccount } from '#api/features/accounts/login/queries.ts'
import { knownTier } from '#api/features/tiers/service.ts'
import { heldCallSeeds, namedSeeds } from '#data/seed/named.ts'
import { namedPhone, type PersonSeed } from '#data/seed/people.ts'
import type { YearSeed } from '#data/seed/year.ts'
import { applicationSeeds, callSeeds, coachingSeeds, messageSeeds, visitSeeds } from '#data/seed/year-inbox.ts'
import { countKinds } from '#shared/contract/analytics.ts'
import type { TierSlug } from '#shared/contract/tier.ts'
import { addDays, londonDay, londonInstant, londonMonth, weekdayOf } from '#shared/rules/london.ts'
import { fullName } from '#shared/rules/person-name.ts'
import { joinedAt } from './purchases-service.ts'
import { monthOf } from './year-service.ts'

const hour = 3_600_000
const day = 24 * hour
const visitDays = 120

/** What the sample year's people did besides paying: watched, wrote, booked, looked around. `named`: the accounts one logs in as. */
export function seedActivity(ctx: Context, people: readonly YearSeed[], named: readonly PersonSeed[]): void {
  if (people.length === 0) return
  const watchers = [...watchersOf(ctx, people), ...namedWatchers(ctx, named)]
  const published = listPublished(ctx)
  for (const watcher of watchers) seedWatching(ctx, published, watcher)
  seedInbox(ctx, people)
  seedCalls(ctx, people)
  seedHeldCalls(ctx, named)
  seedVisits(ctx)
}

type Watcher = {
  email: string
  tier: TierSlug
  from: number
  seenAt: number
  ticks: number
  hasAgreedToNews: boolean
}

/** Most come back every few days, every ninth hasn't for weeks. */
const watchersOf = (ctx: Context, people: readonly YearSeed[]): Watcher[] =>
  people.flatMap((person, index) => {
    const { email, tier, monthsAgo } = person
    if (tier === null) return []
    const [from, seenAt] = seenBetween(ctx, person, index)
    const ticks = 1 + (index % 5) + monthsAgo * (1 + (index % 3))
    return [{ email, tier, from, seenAt, ticks, hasAgreedToNews: index % 3 !== 0 }]
  })

/** They haven't said whether they want news, so the site asks the person who logs in as them. */
const namedWatchers = (ctx: Context, named: readonly PersonSeed[]): Watcher[] =>
  named.flatMap((person) => {
    const [of, from] = [namedSeeds[person.email], joinedAt(ctx, person)]
    if (person.tier === null || of === undefined || from === null) return []
    const seenAt = ctx.now().getTime() - of.seenHoursAgo * hour
    return [{ email: person.email, tier: person.tier, from, seenAt, ticks: of.ticks, hasAgreedToNews: false }]
  })

function seedWatching(ctx: Context, published: ReturnType<typeof listPublished>, watcher: Watcher): void {
  const { email, tier, from, seenAt, ticks: most, hasAgreedToNews } = watcher
  const id = findAccount(ctx, email)?.id
  if (id === undefined) return
  ctx.db
    .update(users)
    .set({ lastSeenAt: toIso(seenAt) })
    .where(eq(users.id, id))
    .run()
  if (hasAgreedToNews) insertRow(ctx, mailAgreements, { userId: id, purpose: 'news', at: toIso(from) })
  const theirs = published.filter(({ tierAccess }) => tierAccess.includes(tier))
  const ticks = Math.min(theirs.length, most)
  for (const [at, { id: videoId }] of theirs.slice(0, ticks).entries()) {
    const when = toIso(from + ((seenAt - from) * (at + 1)) / (ticks + 1))
    insertRow(ctx, videoProgress, {
      id: ctx.newId(),
      userId: id,
      videoId,
      completed: true,
      completedAt: when,
      at: when,
      counter: 1,
      deviceId: 'phone',
      changeId: ctx.newId(),
      createdAt: when,
      updatedAt: when,
    })
  }
  for (const { id: videoId, duration } of theirs.slice(ticks, ticks + 2)) {
    const seconds = Math.round((duration ?? 8) * 6 * (1 + (most % 8)))
    insertRow(ctx, videoPositions, { userId: id, videoId, seconds, at: toIso(seenAt), deviceId: 'phone' })
  }
}

const listPublished = ({ db }: Context) =>
  db
    .select({ ...getTableColumns(memberVideos), tierAccess: tiersOfVideo })
    .from(memberVideos)
    .where(eq(memberVideos.isPublished, true))
    .all()

/** When someone was first and last here. A former member wasn't seen after leaving. */
function seenBetween(ctx: Context, person: YearSeed, place: number): [number, number] {
  const from = monthOf(person, 0, ctx.billingNow())
  const [kind, months] = person.story.split(' ')
  const isGone = kind === 'left' || kind === 'lost' || kind === 'refunded'
  const to = isGone ? monthOf(person, Number(months ?? 0), ctx.billingNow()) : ctx.now().getTime()
  const awayDays = place % 9 === 4 ? 40 + (place % 12) : (place * 7) % 6
  return [from, Math.max(from, to - awayDays * day - (place % 11) * hour)]
}

const toIso = (at: number) => new Date(at).toISOString()

function seedInbox(ctx: Context, people: readonly YearSeed[]): void {
  const by = ({ from, hoursAgo }: { from: number; hoursAgo: number }) => {
    const person = people.at(-from)
    if (person === undefined) throw new Error('The year has fewer people than its messages.')
    const createdAt = toIso(ctx.now().getTime() - hoursAgo * hour)
    return { person, row: { id: ctx.newId(), email: person.email, createdAt } }
  }
  for (const { message, ...seed } of messageSeeds) {
    const { person, row } = by(seed)
    insertRow(ctx, contacts, { ...row, name: fullName(person), trade: person.trade, message })
  }
  for (const { from, hoursAgo, ...seed } of coachingSeeds) {
    const { person, row } = by({ from, hoursAgo })
    const { phone, businessName } = person
    insertRow(ctx, coachingApplications, { ...row, ...seed, name: fullName(person), phone, businessName })
  }
  for (const { from, hoursAgo, ...seed } of applicationSeeds) {
    const { person, row } = by({ from, hoursAgo })
    const { firstName, lastName, phone, businessName, trade } = person
    insertRow(ctx, membershipApplications, {
      ...row,
      ...seed,
      firstName,
      lastName,
      phone,
      businessName,
      trade,
      agreeTerms: true,
    })
  }
}

function seedCalls(ctx: Context, people: readonly YearSeed[]): void {
  const callers = people.filter(({ tier, story }) => tier === 'standard' && story === 'stays')
  const today = londonDay(ctx.billingNow())
  const weekdays = Array.from({ length: 14 }, (_, at) => addDays(today, at + 1)).filter((one) => weekdayOf(one) < 5)
  for (const [index, { after, at }] of callSeeds.entries()) {
    const [person, bookingDate] = [callers[index], weekdays[after - 1]]
    if (person === undefined || bookingDate === undefined) continue
    addCall(ctx, person, { bookingDate, at, kind: 'coaching', duration: 30 })
  }
}

/** Each on the first weekday from the tenth of its month. */
function seedHeldCalls(ctx: Context, named: readonly PersonSeed[]): void {
  const month = londonMonth(ctx.billingNow())
  for (const { email, monthsAgo, at, kind, agreed } of heldCallSeeds) {
    const person = named.find((one) => one.email === email)
    if (person?.tier == null) continue
    const [year = 0, number = 0] = month.split('-').map(Number)
    const tenth = londonDay(new Date(Date.UTC(year, number - 1 - monthsAgo, 10, 12)))
    const bookingDate = [0, 1, 2].map((days) => addDays(tenth, days)).find((one) => weekdayOf(one) < 5) ?? tenth
    const duration = kind === 'coaching' ? (knownTier(ctx, person.tier).callDuration ?? 30) : 15
    const held = { status: 'completed', agreed, agreedBy: 'coach', agreedVersion: 1 } as const
    addCall(ctx, { ...person, phone: namedPhone }, { bookingDate, at, kind, duration, ...held })
  }
}

type Caller = Pick<PersonSeed, 'email' | 'firstName' | 'lastName' | 'businessName'> & { phone: string }

type CallSeed = Pick<typeof coachingBookings.$inferInsert, 'bookingDate' | 'kind' | 'duration' | 'status'> &
  Pick<typeof coachingBookings.$inferInsert, 'agreed' | 'agreedBy' | 'agreedVersion'> & { at: string }

/** With the first coach. What was agreed was written once the call was over. */
function addCall(ctx: Context, person: Caller, { at, ...call }: CallSeed): void {
  const { email, phone, businessName } = person
  const startsAt = londonInstant(call.bookingDate, at)
  const endsAt = toIso(startsAt.getTime() + (call.duration ?? 0) * 60_000)
  const createdAt = toIso(Math.min(ctx.now().getTime(), startsAt.getTime() - 7 * day))
  insertRow(ctx, coachingBookings, {
    ...call,
    id: ctx.newId(),
    name: fullName(person),
    email,
    phone,
    businessName,
    createdAt,
    coach: 'coach-1',
    userId: findAccount(ctx, email)?.id ?? null,
    startsAt: startsAt.toISOString(),
    endsAt,
    agreedAt: call.agreed ? endsAt : null,
    updatedAt: call.agreed ? endsAt : createdAt,
  })
}

/** Growing towards today, less at weekends. */
function seedVisits(ctx: Context): void {
  const today = londonDay(ctx.now())
  for (let ago = visitDays; ago >= 0; ago -= 1) {
    const date = addDays(today, -ago)
    const share = (1 - ago / (2 * visitDays)) * (weekdayOf(date) < 5 ? 1 : 0.6) * (0.85 + ((ago * 7) % 10) / 33)
    for (const kind of countKinds)
      for (const [key, most] of Object.entries(visitSeeds[kind] ?? {}))
        insertRow(ctx, dailyCounts, { kind, day: date, key, count: Math.max(1, Math.round(most * share)) })
  }
}
