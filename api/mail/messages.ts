import type { Context } from '#api/context.ts'
import { contentOf } from '#api/features/content/service.ts'
import { type Message, renderMail } from '#api/mail/templates/layout.ts'
import { type QueuedMail, queueMail } from './outbox.ts'

type Envelope = Omit<QueuedMail, 'subject' | 'text' | 'html'>

/** Puts a message in the outbox, in the site's look and under the name that its pages show; otherwise as `queueMail`. */
export function queueMessage(ctx: Context, envelope: Envelope, message: Message): void {
  queueMail(ctx, { ...envelope, ...renderMail(message, contentOf(ctx).read().site.brand) })
}
