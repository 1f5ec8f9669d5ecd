import { createTransport } from 'nodemailer'
import * as v from 'valibot'
import { type Attachment, type Mailer, MailRefused, MailServerAway, type OutgoingMail } from './mailer.ts'
import { plainWords } from './plain-words.ts'

const wholeSendMs = 50_000
const timeouts = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }

/** Hands mail to the server of `SMTP_URL`, such as `smtps://user:password@mail.example.com`. */
export function smtpMailer({ url, from }: { url: string; from: string }): Mailer {
  const transport = transportTo(url)
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

/** What keeps the server from taking mail, in its own words; null where it lets us in. Nothing is sent. */
export async function findSmtpProblem(url: string): Promise<string | null> {
  try {
    await transportTo(url).verify()
    return null
  } catch (error) {
    return plainWords(error)
  }
}

/** What stands in the URL after `?` is nodemailer's and goes before these. */
const transportTo = (url: string) =>
  createTransport({ url, ...timeouts, requireTLS: needsTls(url), disableFileAccess: true, disableUrlAccess: true })

/** A password leaves this machine over TLS alone: one who sits between could otherwise take the offer of it away. */
function needsTls(address: string): boolean {
  const { protocol, username, hostname } = new URL(address)
  const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
  return protocol === 'smtp:' && username !== '' && !isHere
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
 * (log in first, RFC 4954) is not, nor what is said of our own address, but for 552, that the mail is too large.
 */
function asOurs(error: unknown): unknown {
  const parsed = v.safeParse(SmtpFailure, error)
  if (!parsed.success) return error
  const { message, code, command = '', response, responseCode, permanent } = parsed.output
  if (code === 'EENVELOPE' && command === 'API') return new MailRefused(message)
  const isOurFault = responseCode === 530 || (command === 'MAIL FROM' && responseCode !== 552)
  if (!aboutTheMail.includes(command) || responseCode === undefined || isOurFault) {
    return new MailServerAway(message)
  }
  return permanent === true ? new MailRefused(response ?? message) : new Error(response ?? message)
}
