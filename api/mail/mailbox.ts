import { and, desc, eq, ne } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { mailOutbox } from '#api/db/schema/mail.ts'
import { documentPath } from '#api/features/invoices/document-service.ts'
import type { Mailer } from './mailer.ts'

/** Without an SMTP server a mail is delivered by keeping it: the mailbox shows the sent rows of the outbox. */
export const localMailbox: Mailer = { keepsBody: true, send: async () => {} }

export type MailboxMail = {
  to: string
  subject: string
  text: string
  html: string
  /** The path of the attached document, which only its member and owners may open. */
  attachment: string | null
  /** When it was delivered. */
  at: string
}

/** The newest mails of the local mailbox, newest first. Mail that went out by SMTP is not in it. */
export function listMailbox(ctx: Context, limit = 200): MailboxMail[] {
  const mails = ctx.db
    .select()
    .from(mailOutbox)
    .where(and(eq(mailOutbox.status, 'sent'), ne(mailOutbox.text, '')))
    .orderBy(desc(mailOutbox.sentAt), desc(mailOutbox.id))
    .limit(limit)
    .all()
  return mails.map(({ to, subject, text, html, attachment, sentAt, createdAt }) => ({
    ...{ to, subject, text, html, at: sentAt ?? createdAt },
    attachment: attachment && `${documentPath(attachment)}/pdf`,
  }))
}
