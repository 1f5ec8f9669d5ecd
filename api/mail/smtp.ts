import * as v from 'valibot'
import { errorText } from '#api/log.ts'
import {
  type Attachment,
  MailCutOff,
  MailDeferred,
  type Mailer,
  MailRefused,
  MailRefusedByServer,
  MailSenderRefused,
  MailServerLeft,
  MailServerUnavailable,
  type OutgoingMail,
  type Sending,
} from './mailer.ts'
import { isAboutSender } from './sender-replies.ts'

/** Together with the second check and storing the result, less than the minute after which an attempt counts as cut off. */
const wholeSendMs = 50_000
/** A server that takes longer to greet us and log us in isn't accepting mail either. */
const secondLookMs = 5000
/** How long an owner's login check waits. */
const loginMs = 15_000
const timeouts = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }

const lateSentence = 'The mail server didn’t answer in time.'

/** Sends through the server in `SMTP_URL`, such as `smtps://user:password@mail.example.com`. */
export function smtpMailer({ url, from }: { url: string; from: string }): Mailer {
  return {
    async send({ replyTo, attachment, logo, oneClickUrl, ...mail }: OutgoingMail, how: Sending = {}) {
      const { asked = null } = how
      const to = { name: '', address: mail.to }
      const replyHeader = replyTo === null ? {} : { replyTo: { name: '', address: replyTo } }
      const attachments = [
        ...(attachment === null ? [] : [toNodemailer(attachment)]),
        ...(logo === null ? [] : [inline(logo)]),
      ]
      const headers = { 'Auto-Submitted': 'auto-generated', ...stopHeaders(oneClickUrl) }
      const signal = within(wholeSendMs, asked)
      let isBegun = false
      const onBegin = () => {
        if (!isBegun) how.onBegin?.()
        isBegun = true
      }
      try {
        const transport = await transportTo(url, onBegin)
        await transport.sendMail({ ...mail, from, to, ...replyHeader, attachments, headers, signal })
      } catch (error) {
        throw await toMailError(error, { url, isBegun, asked })
      }
    },
  }
}

const within = (ms: number, asked: AbortSignal | null): AbortSignal =>
  asked === null ? AbortSignal.timeout(ms) : AbortSignal.any([asked, AbortSignal.timeout(ms)])

/** Makes mail programs show their own unsubscribe button (RFC 8058). */
const stopHeaders = (oneClickUrl: string | null) =>
  oneClickUrl === null
    ? {}
    : { 'List-Unsubscribe': `<${oneClickUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }

/** The server's reason for refusing us. Null if it accepts our login. Sends nothing. */
export async function findSmtpProblem(url: string, signal = AbortSignal.timeout(loginMs)): Promise<string | null> {
  const late = Promise.withResolvers<never>()
  const onAbort = () => late.reject(new Error(lateSentence))
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort)
  try {
    await Promise.race([late.promise, logIn(url)])
    return null
  } catch (error) {
    return errorText(error)
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

const logIn = async (url: string) => (await transportTo(url)).verify()

/**
 * Options after `?` in the URL outrank these: nodemailer reads them. `onBegin` is called after login, when the message itself begins.
 */
async function transportTo(url: string, onBegin = () => {}) {
  const { createTransport } = await import('nodemailer')
  const isClosed = { disableFileAccess: true, disableUrlAccess: true }
  // Errors don't say how far the session got, but the log does.
  const logger = { log: (entry: unknown) => void (v.is(BeginOfMail, entry) && onBegin()) }
  return createTransport({ url, ...timeouts, requireTLS: needsTls(url), ...isClosed, logger })
}

/** Nodemailer's log entry between login and the first command of a message. */
const BeginOfMail = v.object({ tnx: v.literal('send') })

/** Passwords require TLS. Otherwise a man in the middle could hide that the server offers it. */
function needsTls(address: string): boolean {
  const { protocol, username, hostname } = new URL(address)
  const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
  return protocol === 'smtp:' && username !== '' && !isLocal
}

const toNodemailer = ({ fileName, contentType, bytes }: Attachment) => ({
  filename: fileName,
  contentType,
  content: Buffer.from(bytes),
})

/** Embedded, for `cid:logo` in the HTML. */
const inline = (logo: Uint8Array) => ({
  filename: 'logo.png',
  contentType: 'image/png',
  content: Buffer.from(logo),
  cid: 'logo',
  contentDisposition: 'inline' as const,
})

/** Nodemailer's error. `command` is `API` if nothing was sent to the server. */
const SmtpFailure = v.object({
  message: v.string(),
  code: v.optional(v.string()),
  command: v.optional(v.string()),
  response: v.optional(v.string()),
  responseCode: v.optional(v.number()),
  permanent: v.optional(v.boolean()),
})

const mailCommands = ['MAIL FROM', 'RCPT TO', 'DATA']

type Attempt = { url: string; isBegun: boolean; asked: AbortSignal | null }

/**
 * A wrong password or failed connection says nothing about the message. Only replies to its own commands do, and not all of
 * those: 530 asks for a login (RFC 4954), replies about our own sender address aren't about it except 552 (message too large),
 * and with 421 a server may end the connection at any command (RFC 5321, 3.8). Some replies to
 * an email's commands are about us all the same.
 */
async function toMailError(error: unknown, { url, isBegun, asked }: Attempt): Promise<unknown> {
  const parsed = v.safeParse(SmtpFailure, error)
  if (!parsed.success) return error
  const { message, code = '', command = '', response, responseCode, permanent } = parsed.output
  if (code === 'EENVELOPE' && command === 'API') return new MailRefused(message)
  const isLate = ['EABORT', 'ETIMEDOUT'].includes(code)
  // Not a failed command but our own error, such as a message that can't be built.
  if (command === '' && !isLate) return error
  const Away = isBegun ? MailServerLeft : MailServerUnavailable
  if (isLate) return new Away(lateSentence)
  const fault = responseCode === undefined ? 'can’t be reached' : 'won’t take email from us'
  const says = `The mail server ${fault}: ${message}`
  if (!isBegun) return new MailServerUnavailable(says)
  const reply = response ?? message
  if (mailCommands.includes(command) && responseCode !== 530 && isAboutSender(reply))
    return new MailSenderRefused(reply, { isCertain: command === 'MAIL FROM', isForGood: permanent === true })
  if (responseCode === 421) return new MailServerLeft(says)
  // The message may have broken the connection, so we check the server once more.
  if (responseCode === undefined || command === 'CONN') {
    const hungUp = `The mail server hung up: ${message}`
    const isAway = (await findSmtpProblem(url, within(secondLookMs, asked))) !== null
    return isAway ? new MailServerLeft(hungUp) : new MailCutOff(hungUp)
  }
  const isOurFault = responseCode === 530 || (command === 'MAIL FROM' && responseCode !== 552)
  if (!mailCommands.includes(command) || isOurFault) return new MailServerUnavailable(says)
  const SaidNo = permanent === true ? MailRefusedByServer : MailDeferred
  return new SaidNo(reply)
}
