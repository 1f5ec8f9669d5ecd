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
  /** Of the brand, where the HTML shows one. */
  logo: Uint8Array | null
  /** Where a mail program sends its POST when the member stops these mails (RFC 8058); null for mails that cannot be stopped. */
  oneClickUrl: string | null
  /** When it was written. */
  date: Date
}

/** `asked`: somebody waits for it, and no longer than this. `onBegin` is called once the server has let us in and the mail itself begins. */
export type Sending = { asked?: AbortSignal | null; onBegin?: (() => void) | undefined }

/** Hands one mail over. Resolves once it is taken; rejects with one of the errors below, or any other, which is not the server's: try again later. */
export type Mailer = {
  send(mail: OutgoingMail, how?: Sending): Promise<void>
  /** The mail is read in the outbox row itself, so its text stays after sending. */
  keepsBody?: true
}

/** This mail will never go. */
export class MailRefused extends Error {}

/** It is too late for this mail: what it says is no longer true. */
export class MailLapsed extends Error {}

/** The server will never take this mail. The error's message is the server's own. */
export class MailRefusedByServer extends MailRefused {}

/** The server does not take this mail now. The error's message is the server's own. */
export class MailDeferred extends Error {}

/** The server cannot be reached or does not let us in: nothing else can be sent just now either, and it is not the mail's fault. */
export class MailServerUnavailable extends Error {}

/** The server went away at this mail: whether by itself or because of the mail, nobody knows yet. */
export class MailServerLeft extends MailServerUnavailable {}

/** The connection broke at this mail, but the server lets us in: it may be the mail that breaks it. */
export class MailCutOff extends Error {}
