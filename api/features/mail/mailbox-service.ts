import { and, desc, eq, lt, ne, or } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { type MailAttachment, mailOutbox } from '#api/db/schema/mail.ts'
import { icsPathOf } from '#api/features/calendar/link-service.ts'
import { documentPath } from '#api/features/invoices/document-service.ts'
import type { Mailer } from '#api/mail/mailer.ts'

/** Without an SMTP server, keeping an email counts as delivering it: the mailbox shows the outbox's sent rows. */
export const localMailbox: Mailer = { keepsBody: true, send: async () => {} }

export type MailboxMail = {
  id: string
  to: string
  replyTo: string | null
  subject: string
  text: string
  html: string
  /** The attached document's path, which only its member and owners can open. For a call, the path its link opens. */
  attachment: string | null
  at: string
}

/** Email sent by SMTP isn't in the local mailbox, because its text is deleted. */
const isInMailbox = and(eq(mailOutbox.status, 'sent'), ne(mailOutbox.text, ''))

type Page = { limit?: number; before?: string | undefined }

/** The local mailbox, newest first. With `before`, only emails older than that id. */
export function listMailbox(ctx: Context, { limit = 200, before }: Page = {}): MailboxMail[] {
  return ctx.db
    .select()
    .from(mailOutbox)
    .where(and(isInMailbox, before === undefined ? undefined : isOlderThan(ctx, before)))
    .orderBy(desc(mailOutbox.sentAt), desc(mailOutbox.id))
    .limit(limit)
    .all()
    .map((row) => toMail(ctx, row))
}

export function findInMailbox(ctx: Context, id: string): MailboxMail | undefined {
  const row = ctx.db
    .select()
    .from(mailOutbox)
    .where(and(isInMailbox, eq(mailOutbox.id, id)))
    .get()
  return row && toMail(ctx, row)
}

function isOlderThan(ctx: Context, id: string) {
  const sentAt = findInMailbox(ctx, id)?.at ?? ''
  return or(lt(mailOutbox.sentAt, sentAt), and(eq(mailOutbox.sentAt, sentAt), lt(mailOutbox.id, id)))
}

type Row = typeof mailOutbox.$inferSelect

const toMail = (
  ctx: Context,
  { id, to, replyTo, subject, text, html, attachment, sentAt, createdAt }: Row,
): MailboxMail => ({
  id,
  to,
  replyTo,
  subject,
  text,
  html,
  at: sentAt ?? createdAt,
  attachment: attachment && attachmentPath(ctx, attachment),
})

function attachmentPath(ctx: Context, { kind, id }: MailAttachment): string {
  if (kind === 'call') return icsPathOf(ctx, id)
  return kind === 'statement'
    ? `/api/admin/commission-statements/${id}?format=pdf`
    : `${documentPath({ kind, id })}/pdf`
}
