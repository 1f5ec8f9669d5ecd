import { eq } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { jobPatienceMs, whenWritable } from '#api/db/busy.ts'
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
import {
  attemptAt,
  isTakenAgain,
  repeatCutOff,
  repeatFromFuture,
  type TakenMail,
  takeNext,
  takeOfCause,
} from './due.ts'
import { localMailbox } from './mailbox.ts'
import { type Attachment, MailCutOff, type Mailer, MailRefused, MailServerUnavailable } from './mailer.ts'
import { endOutage, isPaused, recordOutage } from './outage.ts'
import { onMailQueued, wakeOutbox } from './outbox-wake-up.ts'
import { keepBodyIf, recordFailure } from './retry.ts'
import { smtpMailer } from './smtp.ts'
import { logoInMail } from './templates/layout.ts'

/** A run is short, so that a server that stops need not wait for it. Where more is due, the next follows at once. */
const mailsPerRun = 100
/** Connections to the mail server at once; providers allow ten and more. */
const handOversAtOnce = 8
/** A server that looks an address up elsewhere takes a second or two; one that takes longer may be silent for long. */
const slowMs = 2000
/** Beside those: as many as are begun one after the other before the first of them is given up, after 30 seconds. */
const slowAtOnce = 16

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
  const { stop } = await deliverMail(ctx, mailer, { mail, asked: deadlineSignal() })
  if (stop === 'outage') recordOutage(ctx)
  else if (stop === null && endOutage(ctx)) wakeOutbox(ctx)
}

function mailerOf({ settings: { smtpUrl, mailFrom, isSandbox } }: Context): Mailer | null {
  if (smtpUrl !== undefined) return smtpMailer({ url: smtpUrl, from: mailFrom })
  return isSandbox ? localMailbox : null
}

/** `answered`: how many mails the server has said something to. */
type Run = { report: MailReport; taken: number; answered: number; busy: number; slow: number } & Ending

/** Why no more mail is taken; `failure` is thrown in the end. */
type Ending = { stop: Delivery['stop'] | 'failed'; failure?: { error: unknown } }

/**
 * Sends what is due: one-time links before all else, then the oldest first. The first mail goes alone, and where it finds the
 * server unavailable, none follows; what waits stays due, and the server is asked again after a pause, by another mail where
 * it went away at this one. A mail at which it says nothing for a moment holds up no other: the next goes alone in its place,
 * one at which it has not failed before, until the server has answered.
 */
async function sendDueMail(ctx: Context, mailer: Mailer): Promise<MailReport> {
  const run: Run = { report: { ...noMail }, taken: 0, answered: 0, busy: 0, slow: 0, stop: null }
  let changed = Promise.withResolvers<void>()
  const onChange = () => {
    changed.resolve()
    changed = Promise.withResolvers()
  }
  // What is queued while the server is silent at others goes at once, such as a link that somebody waits for.
  const endWatch = onMailQueued(ctx, onChange)
  try {
    while (true) {
      const mail = mayTake(run) ? takeNext(ctx, run.answered === 0 && run.slow > 0) : undefined
      if (mail !== undefined) void sendWithin(ctx, mailer, { mail, run, onChange })
      else if (run.busy + run.slow === 0) break
      else await changed.promise
      // The mailbox takes mail without a wait, and requests shall not wait for a whole run.
      await new Promise(setImmediate)
    }
  } finally {
    endWatch()
  }
  if (run.failure !== undefined) throw run.failure.error
  if (run.stop === 'outage') recordOutage(ctx)
  else if (run.taken === mailsPerRun && run.stop === null) wakeOutbox(ctx)
  return run.report
}

const mayTake = ({ stop, taken, busy, slow, answered }: Run) =>
  stop === null && taken < mailsPerRun && slow < slowAtOnce && busy < (answered > 0 ? handOversAtOnce : 1)

type InRun = { mail: TakenMail; run: Run; onChange: () => void }

async function sendWithin(ctx: Context, mailer: Mailer, { mail, run, onChange }: InRun): Promise<void> {
  run.taken += 1
  run.busy += 1
  let answeredBefore: number | null = null
  const onSlow = () => {
    answeredBefore = run.answered
    run.busy -= 1
    run.slow += 1
    onChange()
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  const onBegin = () => {
    timer = setTimeout(onSlow, slowMs)
  }
  try {
    const { outcome, stop } = await deliverMail(ctx, mailer, { mail, onBegin })
    run.report[outcome] += 1
    if (stop === null) run.answered += 1
    // Where the server has answered others since, it is there, and was silent at this mail alone.
    const isThere = stop === null || (answeredBefore !== null && run.answered > answeredBefore)
    if (isThere) endOutage(ctx)
    else run.stop = stop
  } catch (error) {
    // What cannot be stored ends the run, once the others are through.
    run.failure ??= { error }
    run.stop ??= 'failed'
  } finally {
    clearTimeout(timer)
    if (answeredBefore === null) run.busy -= 1
    else run.slow -= 1
    onChange()
  }
}

/** `stop`: why no mail follows in this run. */
type Delivery = { outcome: keyof MailReport; stop: 'outage' | 'cut-off' | null }

async function deliverMail(
  ctx: Context,
  mailer: Mailer,
  { mail, asked = null, onBegin }: { mail: TakenMail; asked?: AbortSignal | null; onBegin?: () => void },
): Promise<Delivery> {
  const { messageId, to, replyTo, subject, text, html, userId, purpose } = mail
  const stoppable = userId === null || purpose === null ? null : oneClickUrl(ctx, { userId, purpose })
  try {
    if (findSuppressed.get(ctx, { email: to.toLowerCase() }) !== undefined)
      throw new MailRefused('An owner has stopped email to this address.')
    // The local mailbox shows the outbox row itself, which names its document.
    const attachment = mail.attachment === null || mailer.keepsBody ? null : await readAttachment(ctx, mail.attachment)
    const logo = html.includes(logoInMail) && !mailer.keepsBody ? await logoForMail(ctx) : null
    // Making them may have taken as long as an attempt.
    if ((mail.attachment !== null || logo !== null) && isTakenAgain(ctx, mail))
      return { outcome: 'delayed', stop: null }
    const content = { messageId, to, replyTo, subject, text, html, attachment, logo }
    await mailer.send({ ...content, oneClickUrl: stoppable, date: new Date(mail.createdAt) }, { asked, onBegin })
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
