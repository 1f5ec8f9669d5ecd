import { and, eq, gte, isNotNull, sql } from 'drizzle-orm'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { isOneOf } from '#api/db/expressions.ts'
import { type HasDb, preparedQuery } from '#api/db/query.ts'
import { mailOutbox } from '#api/db/schema/mail.ts'
import { settings } from '#api/db/schema/system.ts'
import { readSetting, writeSetting } from '#api/db/stored-settings.ts'
import type { MailSenderRefused } from './mailer.ts'

const minute = 60_000
const firstPauseMs = 5 * minute
const longestPauseMs = 60 * minute

const key = 'mail_sender_refusals'

/**
 * Refusals in a row, with no email taken in between, that may be about us. They're stored, so that a restart neither forgets a
 * stop nor tries more often, and doctor sees it.
 */
const Refusals = v.object({
  /** Our login and address, as they were: with others we begin again. */
  sender: v.string(),
  since: v.string(),
  /** The last recipient's. */
  domain: v.string(),
  /** The last email had been refused before this row, so it may be the one at fault. */
  isOld: v.boolean(),
  /** The server's own words. */
  says: v.string(),
  /** Set once it's about us. */
  stop: v.nullable(v.object({ nextAt: v.string(), pauseMs: v.number() })),
})
type Refusals = v.InferOutput<typeof Refusals>

function readRefusals(ctx: HasDb): Refusals | null {
  const read = v.safeParse(Refusals, readSetting(ctx, key)?.value)
  return read.success ? read.output : null
}

/** Null without a mail server, and where what's stored is about another login or address. */
function currentRefusals(ctx: Context): Refusals | null {
  const stored = readRefusals(ctx)
  return stored?.sender === senderOf(ctx) ? stored : null
}

function senderOf({ settings: { smtpUrl, mailFrom } }: Context): string | null {
  if (smtpUrl === undefined) return null
  const { username, host } = new URL(smtpUrl)
  return `${username}@${host} ${mailFrom}`
}

export type SenderStop = { since: string; says: string; nextAt: string }

/** Why the queue stopped, and when one email is tried again. Null if it hasn't. */
export function findSenderStop(ctx: HasDb): SenderStop | null {
  const refusals = readRefusals(ctx)
  return refusals?.stop ? { since: refusals.since, says: refusals.says, nextAt: refusals.stop.nextAt } : null
}

/** What may be taken now. Ignores a time from before the clock was set back. */
export function mayTake(ctx: Context): 'all' | 'one' | 'none' {
  const stop = currentRefusals(ctx)?.stop
  if (!stop) return 'all'
  const waitMs = Date.parse(stop.nextAt) - ctx.now().getTime()
  return waitMs > 0 && waitMs <= longestPauseMs ? 'none' : 'one'
}

/** Call it once the server has answered the one email. */
export function putOffNext(ctx: Context): void {
  const refusals = currentRefusals(ctx)
  if (!refusals?.stop) return
  const pauseMs = Math.min(longestPauseMs, refusals.stop.pauseMs * 2)
  writeSetting(ctx, key, { ...refusals, stop: stopFor(ctx, pauseMs) } satisfies Refusals)
}

const stopFor = ({ now }: Context, pauseMs: number): NonNullable<Refusals['stop']> => ({
  nextAt: new Date(now().getTime() + pauseMs).toISOString(),
  pauseMs,
})

type RefusedMail = { to: string; senderRefusedAt: string | null }

/**
 * Notes a refusal, and returns whether all email waits now: because the server refused our own address, or two recipients at two
 * domains in a row. Two emails that were both refused before don't count, as the server has taken others since. Call it inside a
 * transaction.
 */
export function noteSenderRefusal(ctx: Context, mail: RefusedMail, { message: says, isCertain }: MailSenderRefused) {
  const known = currentRefusals(ctx)
  const domain = mail.to.slice(mail.to.lastIndexOf('@') + 1).toLowerCase()
  const isOld = mail.senderRefusedAt !== null
  const isSecond = known !== null && known.domain !== domain && !(known.isOld && isOld)
  const begins = known?.stop == null && (isCertain || isSecond)
  const refusals: Refusals = {
    sender: senderOf(ctx) ?? '',
    since: known?.since ?? ctx.now().toISOString(),
    domain,
    isOld,
    says,
    stop: begins ? stopFor(ctx, firstPauseMs) : (known?.stop ?? null),
  }
  writeSetting(ctx, key, refusals)
  if (begins) takeBackRefusals.run(ctx, { since: refusals.since, now: ctx.now().toISOString() })
  return refusals.stop !== null
}

/** Emails refused in this row weren't at fault. */
const takeBackRefusals = preparedQuery<{ since: string; now: string }>()((db, { since, now }) =>
  db
    .update(mailOutbox)
    .set({ nextAttemptAt: now, attempts: sql`max(0, ${mailOutbox.attempts} - 1)` })
    .where(and(isOneOf(mailOutbox.status, 'waiting'), gte(mailOutbox.senderRefusedAt, since))),
)

const dateRefusals = preparedQuery<{ now: string }>()((db, { now }) =>
  db
    .update(mailOutbox)
    .set({ senderRefusedAt: now })
    .where(and(isOneOf(mailOutbox.status, 'waiting'), isNotNull(mailOutbox.senderRefusedAt))),
)

const forget = preparedQuery()((db) => db.delete(settings).where(eq(settings.key, key)))

/** Call it when the server takes an email. Returns whether the rest goes again: what was refused has its full day from now. */
export function endSenderRefusals(ctx: Context): boolean {
  const refusals = readRefusals(ctx)
  if (refusals === null) return false
  if (refusals.stop !== null) dateRefusals.run(ctx, { now: ctx.now().toISOString() })
  forget.run(ctx)
  return refusals.stop !== null
}
