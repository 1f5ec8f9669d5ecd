import { and, eq, isNull } from 'drizzle-orm'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { insertIfAbsent } from '#api/db/insert.ts'
import { type MailAttachment, mailOutbox } from '#api/db/schema/mail.ts'
import { contentOf } from '#api/site/content.ts'
import type { MailPurpose } from '#shared/contract/mail.ts'
import { MailKind } from '#shared/contract/texts/mails.ts'
import { isMailWanted, type Recipient, unsubscribeUrl } from './choices.ts'
import { wakeOutbox } from './outbox-wake-up.ts'
import { type Block, type MailBody, type Message, paragraph, renderMail } from './templates/layout.ts'
import { withOwnersTexts } from './templates/samples.ts'

export type QueuedMail = {
  /** The reason for this email, such as `welcome:USER`. There's one email per cause. */
  cause: string
  to: string
  /** The Reply-To address, unless it's the site's. */
  replyTo?: string
  userId: string | null
  subject: string
  text: string
  html: string
  attachment?: MailAttachment
  /** The purpose of an optional email. It says how to unsubscribe, and isn't sent to people who have. */
  purpose?: MailPurpose
  /** When its link or code stops working, after which it isn't sent. By default that's when any would. */
  lapsesAt?: string
  /** Contains no one-time link, so we may keep its text and resend it after a rejection. */
  isRepeatable?: boolean
}

/** Puts an email in the outbox, inside its cause's transaction. A second one with the same cause is ignored. */
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

/** The same for a message that still needs the site's layout and name. */
export function queueMessage(ctx: Context, envelope: Envelope, message: Message): void {
  const to = recipientOf(envelope)
  if (to !== null && !isMailWanted(ctx, to)) return
  queueMail(ctx, { ...envelope, ...composeMail(ctx, envelope, message) })
}

type About = Pick<QueuedMail, 'cause' | 'userId' | 'purpose'>

const recipientOf = ({ userId, purpose }: About): Recipient | null =>
  userId === null || purpose === undefined ? null : { userId, purpose }

/** What an email will say, with the link that stops its kind if there's one. */
export function composeMail(ctx: Context, about: About, message: Message): MailBody {
  const to = recipientOf(about)
  const stop = to === null ? [] : [paragraph(`Unsubscribe: ${unsubscribeUrl(ctx, to)}`)]
  return bodyOf(ctx, about.cause, message, stop)
}

/**
 * The same for email anyone can trigger to any address. If the address has no account, `userId` is null and the row is removed in
 * the same transaction. The statements are identical, so their timing doesn't reveal which addresses have accounts.
 */
export function queueIfAccount(ctx: Context, envelope: Envelope, message: Message): void {
  queueMessage(ctx, envelope, message)
  const isNobodys = and(eq(mailOutbox.cause, envelope.cause), isNull(mailOutbox.userId))
  ctx.db.delete(mailOutbox).where(isNobodys).run()
}

/** Renders an email with the owners' texts for its kind. `last` goes below. */
export function bodyOf(ctx: Context, cause: string, message: Message, last: readonly Block[] = []): MailBody {
  const { site, mails } = contentOf(ctx).read()
  const kind = wordedKind(cause)
  const worded = kind === null ? message : withOwnersTexts(message, mails[kind])
  return renderMail({ ...worded, blocks: [...worded.blocks, ...last] }, site)
}

/** The kind of email whose text owners can edit. Null for email to themselves and for fixed texts. */
function wordedKind(cause: string): MailKind | null {
  const [kind, , addressee] = cause.split(':')
  return addressee !== 'owner' && v.is(MailKind, kind) ? kind : null
}
