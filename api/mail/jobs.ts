import type { Context } from '../context.ts'
import { localMailbox } from './mailbox.ts'
import type { Mailer } from './mailer.ts'
import { type MailReport, sendDueMail } from './outbox.ts'

export async function sendMail(ctx: Context): Promise<MailReport> {
  return sendDueMail(ctx, await mailerOf(ctx))
}

/** The SMTP client is loaded only where there is a server to talk to. */
async function mailerOf({ settings }: Context): Promise<Mailer> {
  if (settings.smtpUrl === undefined) return localMailbox
  const { smtpMailer } = await import('./smtp.ts')
  return smtpMailer({ url: settings.smtpUrl, from: settings.mailFrom })
}
