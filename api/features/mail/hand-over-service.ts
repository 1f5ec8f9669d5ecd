import type { Context } from '#api/context.ts'
import { askIfStale, isReplaced } from '#api/copies/replaced.ts'
import { jobPatienceMs, whenWritable } from '#api/db/busy.ts'
import type { MailAttachment } from '#api/db/schema/mail.ts'
import { callIcs } from '#api/features/calendar/ics-service.ts'
import { lapseOfReminder } from '#api/features/calendar/queries.ts'
import { statementFile } from '#api/features/earnings/commission/statement-service.ts'
import { documentPdf } from '#api/features/invoices/document-service.ts'
import { logoForMail } from '#api/features/site/brand/service.ts'
import { oneClickUrl } from '#api/mail/choices.ts'
import { isTakenAgain, type TakenMail } from '#api/mail/due.ts'
import {
  type Attachment,
  MailCutOff,
  MailDeferred,
  type Mailer,
  MailLapsed,
  MailRefused,
  MailRefusedByServer,
  MailSenderRefused,
  MailServerUnavailable,
  type OutgoingMail,
  type Sending,
} from '#api/mail/mailer.ts'
import { findSuppressed } from '#api/mail/outbox-queries.ts'
import { assertNotLapsed, recordFailure } from '#api/mail/retry.ts'
import { logoInMail } from '#api/mail/templates/layout.ts'
import { noteSent, recordSent, whileUnderWay } from '#api/mail/under-way.ts'

export type Outcome = 'sent' | 'delayed' | 'refused' | 'failed'

/** `server`: how it reacted. `unasked` if the email never reached it. */
export type Delivery = { outcome: Outcome; server: 'answered' | 'cut-off' | 'away' | 'unasked' }

type HandOver = Sending & { mail: TakenMail }

/** Sends one taken email and records the outcome. Throws if that can't be stored. */
export const deliverMail = (ctx: Context, mailer: Mailer, handOver: HandOver): Promise<Delivery> =>
  whileUnderWay(ctx, handOver.mail.id, () => handOverAndRecord(ctx, mailer, handOver))

async function handOverAndRecord(ctx: Context, mailer: Mailer, { mail, ...sending }: HandOver): Promise<Delivery> {
  let outgoing: OutgoingMail
  try {
    outgoing = await outgoingOf(ctx, mailer, mail)
  } catch (error) {
    return recordAttempt(ctx, mail, error)
  }
  // Rendering them may have taken as long as an attempt lasts.
  if (mail.attachment !== null || outgoing.logo !== null) {
    await whenWritable(ctx, jobPatienceMs)
    if (isTakenAgain(ctx, mail)) return { outcome: 'delayed', server: 'unasked' }
  }
  const asking = askIfStale(ctx)
  if (asking !== undefined) await asking
  // The machine that took over has this email in its own outbox.
  if (isReplaced(ctx)) return { outcome: 'delayed', server: 'unasked' }
  try {
    await mailer.send(outgoing, sending)
  } catch (error) {
    return recordAttempt(ctx, mail, error)
  }
  noteSent(ctx, { id: mail.id, keepsBody: mailer.keepsBody === true })
  await whenWritable(ctx, jobPatienceMs)
  recordSent(ctx)
  return { outcome: 'sent', server: 'answered' }
}

async function outgoingOf(ctx: Context, mailer: Mailer, mail: TakenMail): Promise<OutgoingMail> {
  const { messageId, to, replyTo, subject, text, html, userId, purpose, cause, attachment, createdAt } = mail
  if (findSuppressed.get(ctx, { email: to.toLowerCase() }) !== undefined)
    throw new MailRefused('An owner has blocked this address.')
  assertNotLapsed(ctx, mail)
  const isReminder = purpose === 'call-reminder' && attachment?.kind === 'call'
  const lapse = isReminder ? lapseOfReminder(ctx, { id: attachment.id, cause }) : null
  if (lapse !== null) throw new MailLapsed(lapse)
  return {
    messageId,
    to,
    replyTo,
    subject,
    text,
    html,
    // The local mailbox shows the outbox row, which names its document.
    attachment: attachment === null || mailer.keepsBody ? null : await readAttachment(ctx, attachment),
    logo: html.includes(logoInMail) && !mailer.keepsBody ? await logoForMail(ctx) : null,
    oneClickUrl: userId === null || purpose === null ? null : oneClickUrl(ctx, { userId, purpose }),
    date: new Date(createdAt),
  }
}

async function recordAttempt(ctx: Context, mail: TakenMail, error: unknown): Promise<Delivery> {
  await whenWritable(ctx, jobPatienceMs)
  const outcome = recordFailure(ctx, mail, error)
  ctx.log.warn(`mail ${outcome}`, { id: mail.id, attempts: mail.attempts })
  return { outcome, server: serverAt(error) }
}

function serverAt(error: unknown): Delivery['server'] {
  if (error instanceof MailServerUnavailable) return 'away'
  if (error instanceof MailCutOff) return 'cut-off'
  const answers = [MailRefusedByServer, MailSenderRefused, MailDeferred]
  return answers.some((Answer) => error instanceof Answer) ? 'answered' : 'unasked'
}

/** An issued document never changes, so it's rendered once for all attempts. A call is rendered as it is now. */
async function readAttachment(ctx: Context, { kind, id }: MailAttachment): Promise<Attachment | null> {
  if (kind === 'call') {
    const ics = await callIcs(ctx, id)
    if (ics === null) return null
    // RFC 6047: the part names the method that the file has.
    const method = /^METHOD:(\w+)/m.exec(ics)?.[1]
    const contentType = `text/calendar; charset=utf-8; method=${method}`
    return { fileName: 'call.ics', contentType, bytes: Buffer.from(ics) }
  }
  if (kind === 'statement') return { ...(await statementFile(ctx, id)), contentType: 'application/pdf' }
  const pdf = await documentPdf(ctx, { kind, id })
  if (pdf === null) throw new Error('This email’s attachment is missing.')
  return { fileName: pdf.fileName, contentType: 'application/pdf', bytes: pdf.bytes }
}
