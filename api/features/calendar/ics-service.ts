import { eq } from 'drizzle-orm'
import { audit } from '#api/audit.ts'
import type { Context } from '#api/context.ts'
import { insertRow } from '#api/db/insert.ts'
import { transact } from '#api/db/open.ts'
import { callFeeds } from '#api/db/schema/calendar.ts'
import { type CalendarCall, callCalendar } from '#api/documents/call-calendar.ts'
import { notFound } from '#api/errors.ts'
import type { Owner } from '#api/identity/person.ts'
import { keyedHash, newToken } from '#api/secrets.ts'
import { contentOf } from '#api/site/content.ts'
import type { Done } from '#shared/contract/auth.ts'
import { callNames } from '#shared/contract/call-kind.ts'
import type { CallFeedResponse } from '#shared/contract/owner-calendar.ts'
import { addDays, londonDay } from '#shared/rules/london.ts'
import { linkOf } from './link-service.ts'
import { type Call, callsBetween, coachName, findCall } from './queries.ts'
import { assertCoach } from './slots-service.ts'

/** The .ics attachment for a call's mails; null if the call is gone. */
export async function callIcs(ctx: Context, id: string): Promise<string | null> {
  const call = findCall(ctx, id)
  if (call === undefined) return null
  const title = `${callNames[call.kind]} with ${coachName(ctx, call.coach)}`
  const isCancelled = call.status === 'cancelled'
  return callCalendar(organiserOf(ctx), [
    { ...eventOf(ctx, call), title, isCancelled, ...(isCancelled ? {} : { url: linkOf(ctx, call) }) },
  ])
}

function organiserOf(ctx: Context) {
  const { name, email } = contentOf(ctx).read().site.brand
  return { name, email: email || addressIn(ctx.settings.mailFrom) }
}

/** Of a sender such as `The Alliance <hello@alliance.example>`. */
const addressIn = (sender: string) => /<([^<>]+)>$/.exec(sender)?.[1] ?? sender

const eventOf = (ctx: Context, call: Call): Omit<CalendarCall, 'title'> => ({
  uid: `${call.id}@${new URL(ctx.settings.publicUrl).hostname}`,
  sequence: call.moves,
  startsAt: call.startsAt,
  endsAt: call.endsAt,
  changedAt: call.updatedAt,
})

/** Creates a secret URL, shown only this once. */
export function createFeed(ctx: Context, owner: Owner, coach: string | null): CallFeedResponse {
  if (coach !== null) assertCoach(ctx, coach)
  const [id, token] = [ctx.newId(), newToken()]
  transact(ctx, () => {
    insertRow(ctx, callFeeds, { id, coach, ...keysOf(ctx, owner, token) })
    audit(ctx, owner.actor, 'calendar.feed', { targetId: id, detail: { coach } })
  })
  return { id, url: feedUrl(ctx, token) }
}

const feedUrl = (ctx: Context, token: string) => `${ctx.settings.publicUrl}/api/calendar/feeds/${token}`

/** Replaces a feed's secret URL. The old one stops working straight away, and the feed is now this owner's, who sees the new one. */
export function renewFeed(ctx: Context, owner: Owner, id: string): CallFeedResponse {
  const token = newToken()
  return transact(ctx, () => {
    if (
      ctx.db
        .update(callFeeds)
        .set(keysOf(ctx, owner, token))
        .where(eq(callFeeds.id, id))
        .run().changes === 0
    )
      throw notFound('This address')
    audit(ctx, owner.actor, 'calendar.feed-renewed', { targetId: id })
    return { id, url: feedUrl(ctx, token) }
  })
}

/** A feed's secret, and whose it is: the owner who's shown it. */
const keysOf = (ctx: Context, { userId: ownerId }: Owner, token: string) => ({
  ownerId,
  tokenHash: hashOf(ctx, token),
  createdAt: ctx.now().toISOString(),
})

const hashOf = (ctx: Context, token: string) => keyedHash(ctx, 'call-feed', token)

export function revokeFeed(ctx: Context, owner: Owner, id: string): Done {
  return transact(ctx, () => {
    if (ctx.db.delete(callFeeds).where(eq(callFeeds.id, id)).run().changes === 0) throw notFound('This address')
    audit(ctx, owner.actor, 'calendar.feed-revoked', { targetId: id })
    return { success: true }
  })
}

const daysKept = 30

/** What a calendar program reads: time, kind and first name, and nothing else personal. */
export function readFeed(ctx: Context, token: string): Promise<string> {
  const feed = ctx.db
    .select({ coach: callFeeds.coach })
    .from(callFeeds)
    .where(eq(callFeeds.tokenHash, hashOf(ctx, token)))
    .get()
  if (feed === undefined) throw notFound('This calendar')
  const from = addDays(londonDay(ctx.billingNow()), -daysKept)
  const calls = callsBetween(ctx, { coach: feed.coach ?? undefined, from })
  const events = calls.map((call) => ({ ...eventOf(ctx, call), title: `${callNames[call.kind]}, ${firstName(call)}` }))
  return callCalendar(organiserOf(ctx), events)
}

const firstName = ({ name }: Call) => name.trim().split(/\s+/)[0] ?? ''
