import { eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { dailyCounts } from '#api/db/schema/analytics.ts'
import { coachingApplications, coachingBookings, contacts, membershipApplications } from '#api/db/schema/forms.ts'
import { users } from '#api/db/schema/people.ts'
import { memberVideos, videoPositions, videoProgress } from '#api/db/schema/videos.ts'
import { findAccount } from '#api/features/auth/queries.ts'
import type { YearSeed } from '#data/seed/year.ts'
import { applicationSeeds, callSeeds, coachingSeeds, messageSeeds, visitSeeds } from '#data/seed/year-inbox.ts'
import { countKinds } from '#shared/contract/analytics.ts'
import { addDays, londonDay, londonInstant, weekdayOf } from '#shared/rules/london.ts'
import { fullName } from '#shared/rules/person-name.ts'
import { monthOf } from './year-service.ts'

const hour = 3_600_000
const day = 24 * hour
const visitDays = 120

/** What the year's people did besides paying: watched, wrote, booked, looked around. */
export function seedActivity(ctx: Context, people: readonly YearSeed[]): void {
  if (people.length === 0) return
  seedWatching(ctx, people)
  seedInbox(ctx, people)
  seedCalls(ctx, people)
  seedVisits(ctx)
}

/** Most come back every few days, every ninth hasn't for weeks. */
function seedWatching(ctx: Context, people: readonly YearSeed[]): void {
  const videos = ctx.db.select().from(memberVideos).where(eq(memberVideos.isPublished, true)).all()
  for (const [place, person] of people.entries()) {
    const { email, tier, monthsAgo } = person
    const id = findAccount(ctx, email)?.id
    if (tier === null || id === undefined) continue
    const [from, seenAt] = seenBetween(ctx, person, place)
    ctx.db
      .update(users)
      .set({ lastSeenAt: toIso(seenAt) })
      .where(eq(users.id, id))
      .run()
    const theirs = videos.filter(({ tierAccess }) => tierAccess.includes(tier))
    const ticks = Math.min(theirs.length, 1 + (place % 5) + monthsAgo * (1 + (place % 3)))
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
      const seconds = (duration ?? 8) * 6 * (1 + (place % 8))
      insertRow(ctx, videoPositions, { userId: id, videoId, seconds, at: toIso(seenAt), deviceId: 'phone' })
    }
  }
}

/** The first and the last time that somebody was here. Who has left wasn't seen after that. */
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
  for (const [place, { after, at }] of callSeeds.entries()) {
    const [person, bookingDate] = [callers[place], weekdays[after - 1]]
    if (person === undefined || bookingDate === undefined) continue
    const { email, phone, businessName } = person
    const startsAt = londonInstant(bookingDate, at)
    const createdAt = ctx.now().toISOString()
    insertRow(ctx, coachingBookings, {
      id: ctx.newId(),
      name: fullName(person),
      email,
      phone,
      businessName,
      bookingDate,
      createdAt,
      kind: 'coaching',
      coach: 'coach-1',
      duration: 30,
      userId: findAccount(ctx, email)?.id ?? null,
      startsAt: startsAt.toISOString(),
      endsAt: toIso(startsAt.getTime() + hour / 2),
      updatedAt: createdAt,
    })
  }
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
