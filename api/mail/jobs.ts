import type { Context } from '#api/context.ts'
import { localMailbox } from './mailbox.ts'
import type { Mailer } from './mailer.ts'
import { type MailReport, sendDueMail } from './outbox.ts'

/** Sends what is due. Without a server to send by, mail waits in the outbox; in the sandbox the mailbox takes it. */
export async function sendMail(ctx: Context): Promise<MailReport> {
  const { smtpUrl, isSandbox } = ctx.settings
  if (smtpUrl === undefined && !isSandbox) return { sent: 0, delayed: 0, refused: 0, failed: 0 }
  return sendDueMail(ctx, await mailerOf(ctx))
}

/** The SMTP client is loaded only where there is a server to talk to. */
async function mailerOf({ settings }: Context): Promise<Mailer> {
  if (settings.smtpUrl === undefined) return localMailbox
  const { smtpMailer } = await import('./smtp.ts')
  return smtpMailer({ url: settings.smtpUrl, from: settings.mailFrom })
}
