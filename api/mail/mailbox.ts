import type { Context } from '#api/context.ts'
import { documentPath } from '#api/features/invoices/document-service.ts'
import { attachmentOf } from './attachments.ts'
import type { Mailer } from './mailer.ts'

/** Without an SMTP server mail is delivered by being kept: the mailbox is the outbox's sent rows. */
export const localMailbox: Mailer = { keepsText: true, send: async () => {} }

export type MailboxMail = {
  to: string
  subject: string
  text: string
  html: string
  /** Where the document opens that went with it, for whoever may see it. */
  attachment: string | null
  /** When it was delivered. */
  at: string
}

/** The newest mails of the local mailbox, newest first. Mail that went out by SMTP is not in it. */
export function listMailbox(ctx: Context, limit = 200): MailboxMail[] {
  return ctx.sqlite
    .prepare<[number], MailboxMail>(
      `select "to", subject, text, html, attachment, sentAt as at from mail_outbox
       where status = 'sent' and text <> '' order by sentAt desc, id desc limit ?`,
    )
    .all(limit)
    .map((mail) => ({ ...mail, attachment: mail.attachment && `${documentPath(attachmentOf(mail.attachment))}/pdf` }))
}
