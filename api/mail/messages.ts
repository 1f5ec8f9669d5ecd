import type { Context } from '#api/context.ts'
import { contentOf } from '#api/features/content/service.ts'
import { frameMail, type Letter } from '#api/mail/templates/layout.ts'
import { type QueuedMail, queueMail } from './outbox.ts'

type Envelope = Omit<QueuedMail, 'subject' | 'text' | 'html'>

/** Puts a letter in the outbox, in the site's look and under the name that its pages show; otherwise as `queueMail`. */
export function queueLetter(ctx: Context, envelope: Envelope, letter: Letter): void {
  queueMail(ctx, { ...envelope, ...frameMail(letter, contentOf(ctx).read().site.brand) })
}
