import { and, eq, isNull, ne, or, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { isOneOf } from '#api/db/expressions.ts'
import { transact } from '#api/db/open.ts'
import { preparedQuery } from '#api/db/query.ts'
import { mailOutbox } from '#api/db/schema/mail.ts'
import { users } from '#api/db/schema/people.ts'
import { errorText } from '#api/log.ts'
import { MailLapsed, MailRefused, MailSenderRefused, MailServerLeft, MailServerUnavailable } from './mailer.ts'
import { blameMail } from './outage.ts'
import { wakeOutbox } from './outbox-wake-up.ts'
import { noteSenderRefusal } from './sender-refusals.ts'
import { restoreAddressKind } from './templates/address.ts'

const minute = 60 * 1000
const hour = 60 * minute
const day = 24 * hour
const givenUpAfterMs = 72 * hour
/** Both limits must pass, as a machine that was off made no attempts. Seven take an hour, which outlasts greylisting. */
const givenUpAfterAttempts = 7
/** Longer for a welcome: no one expects that email, and it may take three days to arrive. */
export const welcomeLinkDays = 7
/** No link or code works longer than this. */
const linksLapseAfterMs = welcomeLinkDays * day
/** These emails matter beyond their link's life, and say how long it works. */
const kindsThatStay: readonly string[] = [restoreAddressKind]
/** Links people have just requested work for an hour at most. */
const awaitedMs = hour
const unsentTextKeptMs = 30 * day

type QueuedRow = typeof mailOutbox.$inferSelect
type FailedMail = Pick<
  QueuedRow,
  'id' | 'to' | 'attempts' | 'createdAt' | 'resentAt' | 'isRepeatable' | 'lapsesAt' | 'senderRefusedAt'
>

const ageMsOf = (ctx: Context, { createdAt, resentAt }: Pick<QueuedRow, 'createdAt' | 'resentAt'>): number =>
  ctx.now().getTime() - Date.parse(resentAt ?? createdAt)

/** A mail server may come back after weeks, and shouldn't then receive expired links and codes. */
export function assertNotLapsed(
  ctx: Context,
  mail: Pick<QueuedRow, 'cause' | 'createdAt' | 'resentAt' | 'isRepeatable' | 'lapsesAt'>,
): void {
  if (mail.lapsesAt !== null && mail.lapsesAt <= ctx.now().toISOString())
    throw new MailLapsed('This email’s link or code has expired.')
  const stays = mail.isRepeatable || kindsThatStay.some((kind) => mail.cause.startsWith(`${kind}:`))
  if (!stays && ageMsOf(ctx, mail) >= linksLapseAfterMs)
    throw new MailLapsed(`This email’s link or code is more than ${welcomeLinkDays} days old.`)
}

/**
 * Rejections and lapsed emails are final. Anything else is retried for three days. After that we go on if the error isn't about
 * the email, or it has had only a few attempts, as the machine may have been off.
 */
export function recordFailure(ctx: Context, mail: FailedMail, error: unknown): 'delayed' | 'refused' | 'failed' {
  return transact(ctx, () => {
    const now = ctx.now().getTime()
    const ageMs = ageMsOf(ctx, mail)
    const { isTried, delayMs, ...refusal } = retryOf(ctx, { ...mail, ageMs }, error)
    const isLapsed = error instanceof MailLapsed
    const isGivenUp = isLapsed || (isTried && mail.attempts >= givenUpAfterAttempts && ageMs >= givenUpAfterMs)
    const isFinal = error instanceof MailRefused || delayMs === null
    const outcome = isFinal ? 'refused' : isGivenUp ? 'failed' : 'delayed'
    const hasRefusedAddress = error instanceof MailRefused
    const mayBeResent = mail.isRepeatable || (!hasRefusedAddress && (mail.lapsesAt ?? '') > ctx.now().toISOString())
    ctx.db
      .update(mailOutbox)
      .set({
        status: outcome === 'delayed' ? 'waiting' : outcome,
        attempts: isTried ? mail.attempts : mail.attempts - 1,
        nextAttemptAt: new Date(now + (delayMs ?? 0)).toISOString(),
        lastError: errorText(error),
        ...refusal,
        ...keepBodyIf(outcome === 'delayed' || (mayBeResent && !isLapsed)),
      })
      .where(and(eq(mailOutbox.id, mail.id), eq(mailOutbox.attempts, mail.attempts), eq(mailOutbox.status, 'sending')))
      .run()
    return outcome
  })
}

/** `delayMs` is null if there's no next try. */
type Retry = { isTried: boolean; delayMs: number | null; senderRefusedAt?: string }

/**
 * If the server is unavailable, the attempt doesn't count and the email stays due. Nor does it count for a lapsed one. If the
 * server disconnected during this email, others go first: it backs off while it may be the cause, and otherwise waits no longer
 * than mail may for a server that's back.
 */
function retryOf(ctx: Context, mail: FailedMail & { ageMs: number }, error: unknown): Retry {
  if (error instanceof MailSenderRefused) return retryOfRefused(ctx, mail, error)
  if (error instanceof MailServerLeft && !blameMail(ctx, mail)) return { isTried: false, delayMs: minute }
  const isAway = error instanceof MailServerUnavailable && !(error instanceof MailServerLeft)
  return isAway || error instanceof MailLapsed
    ? { isTried: false, delayMs: 0 }
    : { isTried: true, delayMs: backOffMs(mail) }
}

/** If all email is refused, this one stays due. If it's this address alone, it has a second and last try a day later. */
function retryOfRefused(ctx: Context, mail: FailedMail & { ageMs: number }, error: MailSenderRefused): Retry {
  const now = ctx.now()
  const senderRefusedAt = now.toISOString()
  if (noteSenderRefusal(ctx, mail, error)) return { isTried: false, delayMs: 0, senderRefusedAt }
  if (!error.isForGood) return { isTried: true, delayMs: backOffMs(mail) }
  if (mail.senderRefusedAt === null) return { isTried: true, delayMs: day, senderRefusedAt }
  const leftMs = Date.parse(mail.senderRefusedAt) + day - now.getTime()
  return { isTried: true, delayMs: leftMs > 0 ? leftMs : null }
}

/** One minute, doubling up to an hour. One-time links go every minute while someone may be waiting. */
const backOffMs = ({ attempts, isRepeatable, ageMs }: FailedMail & { ageMs: number }) =>
  !isRepeatable && ageMs < awaitedMs ? minute : Math.min(hour, minute * 2 ** (attempts - 1))

/** Deletes the text of sent emails, and of rejected ones with a one-time link. */
export const keepBodyIf = (isKept: boolean) => (isKept ? {} : { text: '', html: '' })

const isUnsent = and(isOneOf(mailOutbox.status, 'refused', 'failed'), ne(mailOutbox.text, ''))

/** A one-time link works for the address it was made for, and nobody else gets it. */
const currentAddress = sql`iif(${mailOutbox.isRepeatable}, coalesce((
  select ${users.email} from ${users} where ${users.id} = ${mailOutbox.userId}), ${mailOutbox.to}), ${mailOutbox.to})`

const queueAgain = preparedQuery<{ id: string; now: string; at: string }>()((db, { id, now, at }) =>
  db
    .update(mailOutbox)
    .set({
      status: 'waiting',
      attempts: 0,
      nextAttemptAt: at,
      resentAt: now,
      senderRefusedAt: null,
      to: currentAddress,
    })
    .where(and(eq(mailOutbox.id, id), isUnsent)),
)

type Left = { userId: string; from: string; to: string; isAccountsOnly?: boolean }

/**
 * Nothing unsent goes to a mailbox that isn't the account's to read: what waits goes to the new one. One-time links end with a move.
 * `isAccountsOnly`: what else was written to that address may be for someone else.
 */
export function leaveMailbox({ db, now }: Context, { userId, from, to, isAccountsOnly = false }: Left): void {
  const whose = isAccountsOnly
    ? eq(mailOutbox.userId, userId)
    : or(eq(mailOutbox.userId, userId), isNull(mailOutbox.userId))
  const isThere = and(eq(mailOutbox.to, from), whose)
  const waiting = and(isThere, isOneOf(mailOutbox.status, 'waiting', 'sending'))
  db.update(mailOutbox)
    .set({ to })
    .where(and(waiting, eq(mailOutbox.isRepeatable, true)))
    .run()
  const lastError = 'The account moved to another address, which ended this email’s link or code.'
  db.update(mailOutbox).set({ status: 'failed', nextAttemptAt: now().toISOString(), lastError }).where(waiting).run()
  // An account's other mail goes to its current address when it's resent.
  const wouldGoThere = or(eq(mailOutbox.isRepeatable, false), isNull(mailOutbox.userId))
  db.update(mailOutbox)
    .set(keepBodyIf(false))
    .where(and(isThere, isUnsent, wouldGoThere))
    .run()
}

/** Queues a rejected or abandoned email again, to its user's current address, due after so long. */
export function requeueMail(ctx: Context, id: string, afterMs = 0): void {
  const now = ctx.now()
  const at = new Date(now.getTime() + afterMs).toISOString()
  queueAgain.run(ctx, { id, now: now.toISOString(), at })
  wakeOutbox(ctx)
}

/**
 * What was waiting when the backup was made may have gone out since, so after a restore it waits for an owner, who can resend it.
 * A link that has lapsed since isn't kept. `since`: when they were held, for a resend of all.
 */
export function holdRestoredMail({ db, now }: Context): { emails: number; since: string } {
  const at = now().toISOString()
  const waiting = isOneOf(mailOutbox.status, 'waiting', 'sending')
  const hasLapsed = and(waiting, eq(mailOutbox.isRepeatable, false), sql`coalesce(${mailOutbox.lapsesAt}, '') <= ${at}`)
  db.update(mailOutbox).set(keepBodyIf(false)).where(hasLapsed).run()
  const lastError = 'It was waiting when the backup was made, so it may have gone out already.'
  const held = db.update(mailOutbox).set({ status: 'failed', nextAttemptAt: at, lastError }).where(waiting).run()
  return { emails: held.changes, since: at }
}

const emptyUnsent = preparedQuery<{ before: string }>()((db, { before }) =>
  db
    .update(mailOutbox)
    .set({ text: '', html: '' })
    .where(and(isUnsent, sql`coalesce(${mailOutbox.resentAt}, ${mailOutbox.createdAt}) <= ${before}`)),
)

/** Deletes texts of emails that weren't resent within 30 days. Returns how many. */
export const deleteUnsentText = (ctx: Context): number =>
  emptyUnsent.run(ctx, { before: new Date(ctx.now().getTime() - unsentTextKeptMs).toISOString() }).changes
