import { and, eq, ne, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { isOneOf } from '#api/db/expressions.ts'
import { preparedQuery } from '#api/db/query.ts'
import { mailOutbox } from '#api/db/schema/mail.ts'
import { users } from '#api/db/schema/people.ts'
import { welcomeLinkDays } from '#api/features/auth/link-service.ts'
import { errorText } from '#api/log.ts'
import { MailLapsed, MailRefused, MailServerLeft, MailServerUnavailable } from './mailer.ts'
import { blameMail } from './outage.ts'
import { wakeOutbox } from './outbox-wake-up.ts'
import { restoreAddressKind } from './templates/address.ts'

const minute = 60 * 1000
const hour = 60 * minute
/** How long a mail is tried before it is given up. */
const givenUpAfterMs = 72 * hour
/**
 * And how often, since nobody tried it while this machine was off: the seventh attempt is an hour after the first, and servers
 * that turn a mail away at first (greylisting) take it sooner than that.
 */
const givenUpAfterAttempts = 7
/** A link or a code is of no use to anybody once the longest that a link works has passed. */
const linksLapseAfterMs = welcomeLinkDays * 24 * hour
/** What these tell matters longer than their link works, and they say until when it does. */
const kindsThatStay: readonly string[] = [restoreAddressKind]
/** The links that somebody has just asked for work for an hour at most. */
const awaitedMs = hour
const unsentTextKeptMs = 30 * 24 * hour

type QueuedRow = typeof mailOutbox.$inferSelect
type FailedMail = Pick<QueuedRow, 'id' | 'attempts' | 'createdAt' | 'resentAt' | 'isRepeatable'>

const ageMsOf = (ctx: Context, { createdAt, resentAt }: Pick<QueuedRow, 'createdAt' | 'resentAt'>): number =>
  ctx.now().getTime() - Date.parse(resentAt ?? createdAt)

/** A server that was away may be back after weeks, and would get every link and code of these. */
export function assertNotLapsed(
  ctx: Context,
  mail: Pick<QueuedRow, 'cause' | 'createdAt' | 'resentAt' | 'isRepeatable'>,
): void {
  const stays = mail.isRepeatable || kindsThatStay.some((kind) => mail.cause.startsWith(`${kind}:`))
  if (!stays && ageMsOf(ctx, mail) >= linksLapseAfterMs)
    throw new MailLapsed(`This email’s link or code is more than ${welcomeLinkDays} days old.`)
}

/**
 * A refusal is final, and so is what has lapsed; anything else is retried for three days, and then for as long as it says nothing
 * about the mail, or has been tried a few times only: nobody may have tried it since it was written, as where this machine was off.
 */
export function recordFailure(ctx: Context, mail: FailedMail, error: unknown): 'delayed' | 'refused' | 'failed' {
  const now = ctx.now().getTime()
  const ageMs = ageMsOf(ctx, mail)
  const { isTried, delayMs } = retryOf(ctx, { ...mail, ageMs }, error)
  const isLapsed = error instanceof MailLapsed
  const isGivenUp = isLapsed || (isTried && mail.attempts >= givenUpAfterAttempts && ageMs >= givenUpAfterMs)
  const outcome = error instanceof MailRefused ? 'refused' : isGivenUp ? 'failed' : 'delayed'
  ctx.db
    .update(mailOutbox)
    .set({
      status: outcome === 'delayed' ? 'waiting' : outcome,
      attempts: isTried ? mail.attempts : mail.attempts - 1,
      nextAttemptAt: new Date(now + delayMs).toISOString(),
      lastError: errorText(error),
      ...keepBodyIf(outcome === 'delayed' || (mail.isRepeatable && !isLapsed)),
    })
    .where(and(eq(mailOutbox.id, mail.id), eq(mailOutbox.attempts, mail.attempts), eq(mailOutbox.status, 'sending')))
    .run()
  return outcome
}

type Retry = { isTried: boolean; delayMs: number }

/**
 * Where the server is away, the mail stays due and was not tried; nor was one that has lapsed. Where it went away at this mail,
 * others go first: the mail has its own back-off for as long as it may be why, and else waits no longer than mail may for a
 * server that is back.
 */
function retryOf(ctx: Context, mail: FailedMail & { ageMs: number }, error: unknown): Retry {
  if (error instanceof MailServerLeft && !blameMail(ctx, mail)) return { isTried: false, delayMs: minute }
  const isAway = error instanceof MailServerUnavailable && !(error instanceof MailServerLeft)
  return isAway || error instanceof MailLapsed
    ? { isTried: false, delayMs: 0 }
    : { isTried: true, delayMs: backOffMs(mail) }
}

/** One minute, doubling up to an hour; one-time links each minute for as long as somebody may wait for them. */
const backOffMs = ({ attempts, isRepeatable, ageMs }: FailedMail & { ageMs: number }) =>
  !isRepeatable && ageMs < awaitedMs ? minute : Math.min(hour, minute * 2 ** (attempts - 1))

/** The text of a sent mail is deleted, and that of a refused one with a one-time link. */
export const keepBodyIf = (isKept: boolean) => (isKept ? {} : { text: '', html: '' })

/** Unsent mail whose text is still there. */
const isUnsent = and(isOneOf(mailOutbox.status, 'refused', 'failed'), ne(mailOutbox.text, ''))

const currentAddress = sql`coalesce((
  select ${users.email} from ${users} where ${users.id} = ${mailOutbox.userId}), ${mailOutbox.to})`

const queueAgain = preparedQuery<{ id: string; now: string }>()((db, { id, now }) =>
  db
    .update(mailOutbox)
    .set({ status: 'waiting', attempts: 0, nextAttemptAt: now, resentAt: now, to: currentAddress })
    .where(and(eq(mailOutbox.id, id), isUnsent)),
)

/** Queues a mail again that was refused or given up, to the address that its user has now. */
export function requeueMail(ctx: Context, id: string): void {
  queueAgain.run(ctx, { id, now: ctx.now().toISOString() })
  wakeOutbox(ctx)
}

const emptyUnsent = preparedQuery<{ before: string }>()((db, { before }) =>
  db
    .update(mailOutbox)
    .set({ text: '', html: '' })
    .where(and(isUnsent, sql`coalesce(${mailOutbox.resentAt}, ${mailOutbox.createdAt}) <= ${before}`)),
)

/** Deletes the text of mails that nobody sent again for 30 days. Returns how many. */
export const deleteUnsentText = (ctx: Context): number =>
  emptyUnsent.run(ctx, { before: new Date(ctx.now().getTime() - unsentTextKeptMs).toISOString() }).changes
