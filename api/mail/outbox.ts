import { and, eq, isNull } from 'drizzle-orm'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { insertIfAbsent } from '#api/db/insert.ts'
import { type MailAttachment, mailOutbox } from '#api/db/schema/mail.ts'
import { contentOf } from '#api/features/content/service.ts'
import type { MailPurpose } from '#shared/contract/mail.ts'
import { MailKind } from '#shared/contract/texts/mails.ts'
import { isMailWanted, unsubscribeUrl } from './choices.ts'
import { wakeOutbox } from './outbox-wake-up.ts'
import { type Block, type MailBody, type Message, paragraph, renderMail } from './templates/layout.ts'
import { withOwnersTexts } from './templates/samples.ts'

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
  /** What a mail is for that a member may do without: it says how to stop it, and who has stopped it gets none. */
  purpose?: MailPurpose
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

type Envelope = Omit<QueuedMail, 'subject' | 'text' | 'html'>

/** The same for a message that has yet to be given the site's look and the name that its pages show. */
export function queueMessage(ctx: Context, envelope: Envelope, message: Message): void {
  const { userId, purpose } = envelope
  const to = userId === null || purpose === undefined ? null : { userId, purpose }
  if (to !== null && !isMailWanted(ctx, to)) return
  const stop = to === null ? [] : [paragraph(`Unsubscribe: ${unsubscribeUrl(ctx, to)}`)]
  queueMail(ctx, { ...envelope, ...bodyOf(ctx, envelope.cause, message, stop) })
}

/**
 * The same for what anybody can have sent to any address. Where it is nobody's, `userId` is null, and the mail is taken back in
 * the same transaction: the statements are the same, so that nobody can tell by their time which addresses have an account.
 */
export function queueIfAccount(ctx: Context, envelope: Envelope, message: Message): void {
  queueMessage(ctx, envelope, message)
  const isNobodys = and(eq(mailOutbox.cause, envelope.cause), isNull(mailOutbox.userId))
  ctx.db.delete(mailOutbox).where(isNobodys).run()
}

/** What a mail of this cause says, in the words that owners have given its kind; `last` stands below them. */
export function bodyOf(ctx: Context, cause: string, message: Message, last: readonly Block[] = []): MailBody {
  const { site, mails } = contentOf(ctx).read()
  const kind = wordedKind(cause)
  const worded = kind === null ? message : withOwnersTexts(message, mails[kind])
  return renderMail({ ...worded, blocks: [...worded.blocks, ...last] }, site)
}

/** The kind of a mail that owners word; null for those to themselves, and for those that nobody words. */
function wordedKind(cause: string): MailKind | null {
  const [kind, , addressee] = cause.split(':')
  return addressee !== 'owner' && v.is(MailKind, kind) ? kind : null
}
