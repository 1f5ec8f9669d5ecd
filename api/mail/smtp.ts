import { createTransport } from 'nodemailer'
import * as v from 'valibot'
import { type Attachment, type Mailer, MailRefused, MailServerAway, type OutgoingMail } from './mailer.ts'

const wholeSendMs = 50_000
const timeouts = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }

/** Hands mail to the server of `SMTP_URL`, such as `smtps://user:password@mail.example.com`. */
export function smtpMailer({ url, from }: { url: string; from: string }): Mailer {
  const transport = createTransport({ url, ...timeouts, disableFileAccess: true, disableUrlAccess: true })
  return {
    async send({ replyTo, attachment, ...mail }: OutgoingMail) {
      const to = { name: '', address: mail.to }
      const answers = replyTo === null ? {} : { replyTo: { name: '', address: replyTo } }
      const attachments = attachment === null ? [] : [asOfNodemailer(attachment)]
      const headers = { 'Auto-Submitted': 'auto-generated' }
      const signal = AbortSignal.timeout(wholeSendMs)
      try {
        await transport.sendMail({ ...mail, from, to, ...answers, attachments, headers, signal })
      } catch (error) {
        throw asOurs(error)
      }
    },
  }
}

const asOfNodemailer = ({ fileName, contentType, bytes }: Attachment) => ({
  filename: fileName,
  contentType,
  content: Buffer.from(bytes),
})

/** What nodemailer says about a failure. `command` is `API` where it never asked the server. */
const SmtpFailure = v.object({
  message: v.string(),
  code: v.optional(v.string()),
  command: v.optional(v.string()),
  response: v.optional(v.string()),
  responseCode: v.optional(v.number()),
  permanent: v.optional(v.boolean()),
})

const aboutTheMail = ['MAIL FROM', 'RCPT TO', 'DATA']

/**
 * A wrong password or a closed door is no word about the mail: only answers to its own commands are, and of those 530
 * (log in first, RFC 4954) is not.
 */
function asOurs(error: unknown): unknown {
  const parsed = v.safeParse(SmtpFailure, error)
  if (!parsed.success) return error
  const { message, code, command = '', response, responseCode, permanent } = parsed.output
  if (code === 'EENVELOPE' && command === 'API') return new MailRefused(message)
  if (!aboutTheMail.includes(command) || responseCode === undefined || responseCode === 530) {
    return new MailServerAway(message)
  }
  return permanent === true ? new MailRefused(response ?? message) : new Error(response ?? message)
}
