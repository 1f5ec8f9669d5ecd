import { and, eq, ne, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { isOneOf } from '#api/db/expressions.ts'
import { insertIfAbsent } from '#api/db/insert.ts'
import { preparedQuery } from '#api/db/query.ts'
import { type MailAttachment, mailOutbox } from '#api/db/schema/mail.ts'
import { users } from '#api/db/schema/people.ts'
import { contentOf } from '#api/features/content/service.ts'
import { wakeOutbox } from './outbox-wake-up.ts'
import { type Message, renderMail } from './templates/layout.ts'

export type QueuedMail = {
  /** What this mail is for, such as `welcome:USER`: there is one mail for each cause. */
  cause: string
  to: string
  /** Who gets a reply, where that is not the site. */
  replyTo?: string
  userId: string | null
  subject: string
  text: string
  html: string
  attachment?: MailAttachment
  /** Holds no one-time link, so that its text may be kept and sent again after the server refused it. */
  isRepeatable?: boolean
}

/**
 * Puts a mail in the outbox; call it inside the transaction of its cause. A second mail of the same cause changes
 * nothing.
 */
export function queueMail(ctx: Context, mail: QueuedMail): void {
  const id = ctx.newId()
  const now = ctx.now().toISOString()
  const isNew = insertIfAbsent(ctx, mailOutbox, {
    ...mail,
    id,
    messageId: `<${id}@${new URL(ctx.settings.publicUrl).hostname}>`,
    nextAttemptAt: now,
    createdAt: now,
  })
  if (isNew) wakeOutbox(ctx)
}

/** The same for a message that has yet to be given the site's look and the name that its pages show. */
export function queueMessage(
  ctx: Context,
  envelope: Omit<QueuedMail, 'subject' | 'text' | 'html'>,
  message: Message,
): void {
  queueMail(ctx, { ...envelope, ...renderMail(message, contentOf(ctx).read().site.brand) })
}

/** Unsent mail whose text is still there. */
const isUnsent = and(isOneOf(mailOutbox.status, 'refused', 'failed'), ne(mailOutbox.text, ''))

const currentAddress = sql`coalesce((
  select ${users.email} from ${users} where ${users.id} = ${mailOutbox.userId}), ${mailOutbox.to})`

const queueAgain = preparedQuery<{ id: string; now: string }>()((db, { id, now }) =>
  db
    .update(mailOutbox)
    .set({ status: 'waiting', nextAttemptAt: now, resentAt: now, to: currentAddress })
    .where(and(eq(mailOutbox.id, id), isUnsent)),
)

/** Sends a mail again that was refused or given up, to the address that its user has now. */
export function repeatMail(ctx: Context, id: string): void {
  queueAgain.run(ctx, { id, now: ctx.now().toISOString() })
  wakeOutbox(ctx)
}

const unsentTextKeptMs = 30 * 24 * 60 * 60 * 1000

const emptyUnsent = preparedQuery<{ before: string }>()((db, { before }) =>
  db
    .update(mailOutbox)
    .set({ text: '', html: '' })
    .where(and(isUnsent, sql`coalesce(${mailOutbox.resentAt}, ${mailOutbox.createdAt}) <= ${before}`)),
)

/** Deletes the text of mails that nobody sent again for 30 days. Returns how many. */
export const deleteUnsentText = (ctx: Context): number =>
  emptyUnsent.run(ctx, { before: new Date(ctx.now().getTime() - unsentTextKeptMs).toISOString() }).changes
