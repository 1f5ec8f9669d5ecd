import { and, asc, eq, lte, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { isOneOf } from '#api/db/expressions.ts'
import { preparedQuery } from '#api/db/query.ts'
import { type MailAttachment, mailOutbox } from '#api/db/schema/mail.ts'
import { documentPdf } from '#api/features/invoices/document-service.ts'
import { localMailbox } from './mailbox.ts'
import { type Attachment, type Mailer, MailServerUnavailable } from './mailer.ts'
import { keepBodyIf, recordFailure } from './retry.ts'

/** An attempt that is older than this was cut off, and is repeated under the same Message-ID. */
const attemptMs = 60 * 1000
const mailsPerRun = 100

export type MailReport = { sent: number; delayed: number; refused: number; failed: number }

/**
 * Sends what is due. Without a server to send by, mail waits in the outbox; in the sandbox the mailbox takes it. What a sender
 * that died was handing over is due at once where its run `isTakenOver`.
 */
export async function sendMail(ctx: Context, { isTakenOver = false } = {}): Promise<MailReport> {
  const { smtpUrl, isSandbox } = ctx.settings
  if (isTakenOver) repeatCutOff.run(ctx, { now: ctx.now().toISOString() })
  if (smtpUrl === undefined && !isSandbox) return { sent: 0, delayed: 0, refused: 0, failed: 0 }
  return sendDueMail(ctx, await mailerOf(ctx))
}

/** The SMTP client is loaded only where there is a server to talk to. */
async function mailerOf({ settings }: Context): Promise<Mailer> {
  if (settings.smtpUrl === undefined) return localMailbox
  const { smtpMailer } = await import('./smtp.ts')
  return smtpMailer({ url: settings.smtpUrl, from: settings.mailFrom })
}

/** Sends what is due, oldest first. Stops early while the server is unavailable, and after 100 mails. */
async function sendDueMail(ctx: Context, mailer: Mailer): Promise<MailReport> {
  const report: MailReport = { sent: 0, delayed: 0, refused: 0, failed: 0 }
  for (let count = 0; count < mailsPerRun; count += 1) {
    const mail = takeNext(ctx)
    if (mail === undefined) break
    const { outcome, isServerUnavailable } = await deliver(ctx, mailer, mail)
    report[outcome] += 1
    if (isServerUnavailable) break
  }
  return report
}

const takeDue = preparedQuery<{ now: string; attemptEnds: string }>()((db, { now, attemptEnds }) =>
  db
    .update(mailOutbox)
    .set({ status: 'sending', attempts: sql`${mailOutbox.attempts} + 1`, nextAttemptAt: attemptEnds })
    .where(
      eq(
        mailOutbox.id,
        db
          .select({ id: mailOutbox.id })
          .from(mailOutbox)
          .where(and(isOneOf(mailOutbox.status, 'waiting', 'sending'), lte(mailOutbox.nextAttemptAt, now)))
          .orderBy(asc(mailOutbox.nextAttemptAt), asc(mailOutbox.id))
          .limit(1),
      ),
    )
    .returning(),
)

const repeatCutOff = preparedQuery<{ now: string }>()((db, { now }) =>
  db.update(mailOutbox).set({ nextAttemptAt: now }).where(isOneOf(mailOutbox.status, 'sending')),
)

type TakenMail = NonNullable<ReturnType<typeof takeDue.get>>

/** One statement, so that two senders never take the same mail. */
function takeNext(ctx: Context): TakenMail | undefined {
  const now = ctx.now()
  const attemptEnds = new Date(now.getTime() + attemptMs).toISOString()
  return takeDue.get(ctx, { now: now.toISOString(), attemptEnds })
}

type Delivery = { outcome: keyof MailReport; isServerUnavailable: boolean }

async function deliver(ctx: Context, mailer: Mailer, mail: TakenMail): Promise<Delivery> {
  const { messageId, to, replyTo, subject, text, html } = mail
  try {
    // The local mailbox shows the outbox row itself, which names its document.
    const attachment = mail.attachment === null || mailer.keepsBody ? null : await attach(ctx, mail.attachment)
    await mailer.send({ messageId, to, replyTo, subject, text, html, attachment, date: new Date(mail.createdAt) })
  } catch (error) {
    const outcome = recordFailure(ctx, mail, error)
    ctx.log.warn(`mail ${outcome}`, { id: mail.id, attempts: mail.attempts })
    return { outcome, isServerUnavailable: error instanceof MailServerUnavailable }
  }
  ctx.db
    .update(mailOutbox)
    .set({ status: 'sent', sentAt: ctx.now().toISOString(), lastError: null, ...keepBodyIf(mailer.keepsBody === true) })
    .where(eq(mailOutbox.id, mail.id))
    .run()
  return { outcome: 'sent', isServerUnavailable: false }
}

/** An issued document never changes: it is drawn once, and every attempt carries the same. */
async function attach(ctx: Context, attachment: MailAttachment): Promise<Attachment> {
  const pdf = await documentPdf(ctx, attachment)
  if (pdf === null) throw new Error('The document that goes with this mail is missing.')
  return { fileName: pdf.fileName, contentType: 'application/pdf', bytes: pdf.bytes }
}
