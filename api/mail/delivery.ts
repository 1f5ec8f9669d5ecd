import { and, asc, eq, gt, lte, type SQL, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { jobPatienceMs, whenWritable } from '#api/db/busy.ts'
import { isOneOf } from '#api/db/expressions.ts'
import { preparedQuery } from '#api/db/query.ts'
import { type MailAttachment, mailOutbox } from '#api/db/schema/mail.ts'
import { iconPng } from '#api/features/brand/service.ts'
import { callIcs } from '#api/features/calendar/ics-service.ts'
import { statementFile } from '#api/features/commission/statement-service.ts'
import { contentOf } from '#api/features/content/service.ts'
import { documentPdf } from '#api/features/invoices/document-service.ts'
import { findSuppressed } from '#api/features/mail/queries.ts'
import { errorMessage } from '#api/log.ts'
import { deadlineSignal } from '#api/stripe/deadline.ts'
import { oneClickUrl } from './choices.ts'
import { localMailbox } from './mailbox.ts'
import { type Attachment, MailCutOff, type Mailer, MailRefused, MailServerUnavailable } from './mailer.ts'
import { endOutage, isPaused, letsLinksWait, recordOutage } from './outage.ts'
import { wakeOutbox } from './outbox-wake-up.ts'
import { keepBodyIf, recordFailure } from './retry.ts'
import { smtpMailer } from './smtp.ts'
import { logoInMail } from './templates/layout.ts'

/** An attempt that is older than this was cut off, and is repeated under the same Message-ID. */
const attemptMs = 60 * 1000
/** A run is short, so that a server that stops need not wait for it. Where more is due, the next follows at once. */
const mailsPerRun = 100
/** Connections to the mail server at once; providers allow ten and more. */
const handOversAtOnce = 8

export type MailReport = { sent: number; delayed: number; refused: number; failed: number }

type Runs = { isTakenOver?: boolean; isClockSetBack?: boolean }

const noMail: Readonly<MailReport> = { sent: 0, delayed: 0, refused: 0, failed: 0 }

/**
 * Sends what is due. Without a server to send by, mail waits in the outbox; in the sandbox the mailbox takes it. What a sender
 * that died was handing over is due at once where its run `isTakenOver`, and everything where the clock was set back: when
 * it was due, nobody knows.
 */
export async function sendMail(
  ctx: Context,
  { isTakenOver = false, isClockSetBack = false }: Runs = {},
): Promise<MailReport> {
  const now = ctx.now().toISOString()
  if (isTakenOver) repeatCutOff.run(ctx, { now })
  if (isClockSetBack) repeatFromFuture.run(ctx, { now })
  const mailer = mailerOf(ctx)
  return mailer === null || isPaused(ctx) ? { ...noMail } : sendDueMail(ctx, mailer)
}

/**
 * Sends the mail of this cause by itself, for somebody who waits for the outcome: however much else is due, also in the pause of
 * an outage, and no longer than a request may take. Where it finds the server there again, what waits follows.
 */
export async function sendMailOf(ctx: Context, cause: string): Promise<void> {
  const mailer = mailerOf(ctx)
  const mail = mailer && takeOfCause.get(ctx, { ...attemptAt(ctx), cause })
  if (!mail) return
  const { stop } = await deliverMail(ctx, mailer, mail, deadlineSignal())
  if (stop === 'outage') recordOutage(ctx)
  else if (stop === null && endOutage(ctx)) wakeOutbox(ctx)
}

function mailerOf({ settings: { smtpUrl, mailFrom, isSandbox } }: Context): Mailer | null {
  if (smtpUrl !== undefined) return smtpMailer({ url: smtpUrl, from: mailFrom })
  return isSandbox ? localMailbox : null
}

/**
 * Sends what is due: one-time links before all else, then the oldest first. The first mail goes alone, and where it finds the
 * server unavailable, none follows; what waits stays due, and the server is asked again after a pause, by another mail where
 * it went away at this one.
 */
async function sendDueMail(ctx: Context, mailer: Mailer): Promise<MailReport> {
  const report = { ...noMail }
  let taken = 0
  let stop: Delivery['stop'] = null
  const sendOne = async (): Promise<boolean> => {
    const mail = stop !== null || taken >= mailsPerRun ? undefined : takeNext(ctx)
    if (mail === undefined) return false
    taken += 1
    const delivery = await deliverMail(ctx, mailer, mail)
    report[delivery.outcome] += 1
    stop = delivery.stop ?? stop
    if (delivery.stop === null) endOutage(ctx)
    // The mailbox takes mail without a wait, and requests shall not wait for a whole run.
    await new Promise(setImmediate)
    return true
  }
  const sendUntilNone = async () => {
    while (await sendOne());
  }
  if (await sendOne()) await Promise.all(Array.from({ length: handOversAtOnce }, sendUntilNone))
  if (stop === 'outage') recordOutage(ctx)
  else if (taken === mailsPerRun && stop === null) wakeOutbox(ctx)
  return report
}

/** As the partial index `mail_outbox_due` has it. */
const isWaiting = isOneOf(mailOutbox.status, 'waiting', 'sending')

const underWay = (attemptEnds: SQL<string>) => ({
  status: 'sending' as const,
  attempts: sql`${mailOutbox.attempts} + 1`,
  nextAttemptAt: attemptEnds,
})

const takeDue = (isRepeatable: boolean) =>
  preparedQuery<{ now: string; attemptEnds: string }>()((db, { now, attemptEnds }) =>
    db
      .update(mailOutbox)
      .set(underWay(attemptEnds))
      .where(
        eq(
          mailOutbox.id,
          db
            .select({ id: mailOutbox.id })
            .from(mailOutbox)
            .where(and(isWaiting, eq(mailOutbox.isRepeatable, isRepeatable), lte(mailOutbox.nextAttemptAt, now)))
            .orderBy(asc(mailOutbox.nextAttemptAt), asc(mailOutbox.id))
            .limit(1),
        ),
      )
      .returning(),
  )

const takeLink = takeDue(false)
const takeOther = takeDue(true)

const takeOfCause = preparedQuery<{ cause: string; now: string; attemptEnds: string }>()(
  (db, { cause, now, attemptEnds }) =>
    db
      .update(mailOutbox)
      .set(underWay(attemptEnds))
      .where(and(isWaiting, eq(mailOutbox.cause, cause), lte(mailOutbox.nextAttemptAt, now)))
      .returning(),
)

const repeatCutOff = preparedQuery<{ now: string }>()((db, { now }) =>
  db.update(mailOutbox).set({ nextAttemptAt: now }).where(isOneOf(mailOutbox.status, 'sending')),
)

const repeatFromFuture = preparedQuery<{ now: string }>()((db, { now }) =>
  db
    .update(mailOutbox)
    .set({ nextAttemptAt: now })
    .where(and(isWaiting, gt(mailOutbox.nextAttemptAt, now))),
)

type TakenMail = NonNullable<ReturnType<typeof takeLink.get>>

/** One statement, so that two senders never take the same mail. */
function takeNext(ctx: Context): TakenMail | undefined {
  const due = attemptAt(ctx)
  const [first, then] = letsLinksWait(ctx) ? [takeOther, takeLink] : [takeLink, takeOther]
  return first.get(ctx, due) ?? then.get(ctx, due)
}

const attemptAt = ({ now }: Context) => {
  const at = now()
  return { now: at.toISOString(), attemptEnds: new Date(at.getTime() + attemptMs).toISOString() }
}

/** `stop`: why no mail follows in this run. */
type Delivery = { outcome: keyof MailReport; stop: 'outage' | 'cut-off' | null }

async function deliverMail(
  ctx: Context,
  mailer: Mailer,
  mail: TakenMail,
  asked: AbortSignal | null = null,
): Promise<Delivery> {
  const { messageId, to, replyTo, subject, text, html, userId, purpose } = mail
  const stoppable = userId === null || purpose === null ? null : oneClickUrl(ctx, { userId, purpose })
  try {
    if (findSuppressed.get(ctx, { email: to.toLowerCase() }) !== undefined)
      throw new MailRefused('An owner has stopped email to this address.')
    // The local mailbox shows the outbox row itself, which names its document.
    const attachment = mail.attachment === null || mailer.keepsBody ? null : await readAttachment(ctx, mail.attachment)
    const logo = html.includes(logoInMail) && !mailer.keepsBody ? await logoForMail(ctx) : null
    const content = { messageId, to, replyTo, subject, text, html, attachment, logo }
    await mailer.send({ ...content, oneClickUrl: stoppable, date: new Date(mail.createdAt) }, asked)
  } catch (error) {
    await whenWritable(ctx, jobPatienceMs)
    const outcome = recordFailure(ctx, mail, error)
    ctx.log.warn(`mail ${outcome}`, { id: mail.id, attempts: mail.attempts })
    return { outcome, stop: stopAfter(error) }
  }
  // What was handed over and is not recorded would be handed over again.
  await whenWritable(ctx, jobPatienceMs)
  ctx.db
    .update(mailOutbox)
    .set({ status: 'sent', sentAt: ctx.now().toISOString(), lastError: null, ...keepBodyIf(mailer.keepsBody === true) })
    .where(eq(mailOutbox.id, mail.id))
    .run()
  return { outcome: 'sent', stop: null }
}

function stopAfter(error: unknown): Delivery['stop'] {
  if (error instanceof MailServerUnavailable) return 'outage'
  return error instanceof MailCutOff ? 'cut-off' : null
}

/** Null where the picture cannot be made, as when its file is gone: a mail goes without it rather than not at all. */
export async function logoForMail(ctx: Context): Promise<Uint8Array | null> {
  try {
    return await iconPng(ctx, contentOf(ctx).read().site, 'icon-192.png')
  } catch (error) {
    ctx.log.error('an email goes without the logo', { reason: errorMessage(error) })
    return null
  }
}

/** An issued document never changes: it is drawn once, and every attempt carries the same. A call is as it is now. */
async function readAttachment(ctx: Context, { kind, id }: MailAttachment): Promise<Attachment | null> {
  if (kind === 'call') {
    const ics = await callIcs(ctx, id)
    const contentType = 'text/calendar; charset=utf-8'
    return ics === null ? null : { fileName: 'call.ics', contentType, bytes: Buffer.from(ics) }
  }
  if (kind === 'statement') return { ...(await statementFile(ctx, id)), contentType: 'application/pdf' }
  const pdf = await documentPdf(ctx, { kind, id })
  if (pdf === null) throw new Error('The document that goes with this email is missing.')
  return { fileName: pdf.fileName, contentType: 'application/pdf', bytes: pdf.bytes }
}
