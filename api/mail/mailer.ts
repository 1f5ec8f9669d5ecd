export type Attachment = { fileName: string; contentType: string; bytes: Uint8Array }

export type OutgoingMail = {
  /** With its angle brackets; the same on every repeat. */
  messageId: string
  to: string
  replyTo: string | null
  subject: string
  text: string
  html: string
  attachment: Attachment | null
  /** When it was written. */
  date: Date
}

/** Takes one mail over. Resolves once it is taken; rejects with one of the errors below, or any other: try again later. */
export type Mailer = {
  send(mail: OutgoingMail): Promise<void>
  /** The outbox row itself is where the mail is read, so its text stays after sending. */
  keepsText?: true
}

/** The server will never take this mail. The message is the server's own words. */
export class MailRefused extends Error {}

/** No server to talk to: nothing else can be sent just now either. */
export class MailServerAway extends Error {}
