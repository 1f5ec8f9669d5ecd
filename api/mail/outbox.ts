import type { Context } from '#api/context.ts'
import type { MailAttachment } from '#api/db/schema/mail.ts'
import { makeAttachment } from './attachments.ts'
import { type Mailer, MailRefused, MailServerAway } from './mailer.ts'
import { wakeMail } from './outbox-wake-up.ts'
import { plainWords } from './plain-words.ts'

export type QueuedMail = {
  /** What this mail is for, such as `welcome:USER`: one cause sends one mail. */
  cause: string
  to: string
  /** Whom an answer goes to, where that is not the site. */
  replyTo?: string
  userId: string | null
  subject: string
  text: string
  html: string
  attachment?: MailAttachment
  /** Holds no one-time link, so that it may be kept and sent again after it was refused. */
  isRepeatable?: boolean
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const givesUpAfterMs = 72 * hour
const keptUnsentMs = 30 * 24 * hour
/** A hand-over that is older than this was cut off, and is repeated under the same Message-ID. */
const attemptMs = minute
const mailsPerRun = 100
/** Once a mail has gone out its text is not kept. One that was refused keeps it, unless it carries a one-time link. */
const textUnlessDropped = `text = iif(?, text, ''), html = iif(?, html, '')`

/**
 * Puts a mail in the outbox; call it inside the transaction of its cause. A second mail of the same cause changes
 * nothing.
 */
export function queueMail(ctx: Context, mail: QueuedMail): void {
  const id = ctx.newId()
  const now = ctx.now().toISOString()
  const { changes } = ctx.sqlite
    .prepare(
      `insert into mail_outbox (id, cause, userId, "to", replyTo, subject, text, html, attachment, isRepeatable, messageId,
         nextAttemptAt, createdAt)
       values (@id, @cause, @userId, @to, @replyTo, @subject, @text, @html, @attachment, @isRepeatable, @messageId, @now, @now)
       on conflict (cause) do nothing`,
    )
    .run({
      ...{ replyTo: null, ...mail, id, now },
      attachment: mail.attachment === undefined ? null : JSON.stringify(mail.attachment),
      isRepeatable: mail.isRepeatable === true ? 1 : 0,
      messageId: `<${id}@${new URL(ctx.settings.publicUrl).hostname}>`,
    })
  if (changes === 1) wakeMail(ctx)
}

/** Puts a mail that was refused or given up on its way again, to the address that its person has now. */
export function repeatMail(ctx: Context, id: string): void {
  const now = ctx.now().toISOString()
  ctx.sqlite
    .prepare(
      `update mail_outbox set status = 'waiting', nextAttemptAt = @now, resentAt = @now,
         "to" = coalesce((select email from users where users.id = mail_outbox.userId), "to")
       where id = @id and status in ('refused', 'failed') and text <> ''`,
    )
    .run({ id, now })
  wakeMail(ctx)
}

/** Drops what was kept of mails that nobody sent again for 30 days. Returns how many. */
export function forgetUnsentText(ctx: Context): number {
  const before = new Date(ctx.now().getTime() - keptUnsentMs).toISOString()
  return ctx.sqlite
    .prepare(
      `update mail_outbox set text = '', html = ''
       where status in ('refused', 'failed') and text <> '' and coalesce(resentAt, createdAt) <= ?`,
    )
    .run(before).changes
}

type TakenMail = {
  id: string
  to: string
  replyTo: string | null
  subject: string
  text: string
  html: string
  attachment: string | null
  isRepeatable: 0 | 1
  messageId: string
  attempts: number
  createdAt: string
  resentAt: string | null
}

export type MailReport = { sent: number; delayed: number; refused: number; failed: number }
type Fate = { outcome: keyof MailReport; isServerAway: boolean }

/** Sends what is due, oldest first. Stops early while there is no server to talk to, and after 100 mails. */
export async function sendDueMail(ctx: Context, mailer: Mailer): Promise<MailReport> {
  const report: MailReport = { sent: 0, delayed: 0, refused: 0, failed: 0 }
  for (let count = 0; count < mailsPerRun; count += 1) {
    const mail = takeNext(ctx)
    if (mail === undefined) break
    const fate = await handOver(ctx, mailer, mail)
    report[fate.outcome] += 1
    if (fate.isServerAway) break
  }
  return report
}

/** One statement, so that two senders never take the same mail. */
function takeNext(ctx: Context): TakenMail | undefined {
  const now = ctx.now()
  return ctx.sqlite
    .prepare<[string, string], TakenMail>(
      `update mail_outbox set status = 'sending', attempts = attempts + 1, nextAttemptAt = ?
       where id = (select id from mail_outbox where status in ('waiting', 'sending') and nextAttemptAt <= ?
                   order by nextAttemptAt, id limit 1)
       returning id, "to", replyTo, subject, text, html, attachment, isRepeatable, messageId, attempts, createdAt, resentAt`,
    )
    .get(new Date(now.getTime() + attemptMs).toISOString(), now.toISOString())
}

async function handOver(ctx: Context, mailer: Mailer, mail: TakenMail): Promise<Fate> {
  const { messageId, to, replyTo, subject, text, html } = mail
  try {
    // Where the row itself is read, the document is too.
    const named = mailer.keepsText === true ? null : mail.attachment
    const attachment = named === null ? null : await makeAttachment(ctx, named)
    await mailer.send({ messageId, to, replyTo, subject, text, html, attachment, date: new Date(mail.createdAt) })
  } catch (error) {
    const outcome = noteFailure(ctx, mail, error)
    ctx.log.warn(`mail ${outcome}`, { id: mail.id, attempts: mail.attempts })
    return { outcome, isServerAway: error instanceof MailServerAway }
  }
  const keepsText = mailer.keepsText === true ? 1 : 0
  ctx.sqlite
    .prepare(`update mail_outbox set status = 'sent', sentAt = ?, lastError = null, ${textUnlessDropped} where id = ?`)
    .run(ctx.now().toISOString(), keepsText, keepsText, mail.id)
  return { outcome: 'sent', isServerAway: false }
}

/** Later, or never: a refusal stands at once, anything else is repeated for three days. */
function noteFailure(ctx: Context, mail: TakenMail, error: unknown): 'delayed' | 'refused' | 'failed' {
  const now = ctx.now().getTime()
  const isTooOld = now - Date.parse(mail.resentAt ?? mail.createdAt) >= givesUpAfterMs
  const outcome = error instanceof MailRefused ? 'refused' : isTooOld ? 'failed' : 'delayed'
  const nextAttemptAt = new Date(now + backOffMs(mail.attempts)).toISOString()
  const status = outcome === 'delayed' ? 'waiting' : outcome
  const keepsText = outcome === 'delayed' ? 1 : mail.isRepeatable
  ctx.sqlite
    .prepare(
      `update mail_outbox set status = ?, nextAttemptAt = ?, lastError = ?, ${textUnlessDropped}
       where id = ? and attempts = ? and status = 'sending'`,
    )
    .run(status, nextAttemptAt, plainWords(error), keepsText, keepsText, mail.id, mail.attempts)
  return outcome
}

/** One minute, doubling up to an hour. */
const backOffMs = (attempts: number) => Math.min(hour, minute * 2 ** (attempts - 1))
