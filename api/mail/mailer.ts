export type Attachment = { fileName: string; contentType: string; bytes: Uint8Array }

export type OutgoingMail = {
  /** With angle brackets. Retries keep it. */
  messageId: string
  to: string
  replyTo: string | null
  subject: string
  text: string
  html: string
  attachment: Attachment | null
  /** The brand's, if the HTML shows one. */
  logo: Uint8Array | null
  /** Where a mail program posts when the member unsubscribes (RFC 8058). Null if they can't. */
  oneClickUrl: string | null
  date: Date
}

/** `asked`: aborts when the person has waited long enough. `onBegin`: we've logged in, and the message itself begins. */
export type Sending = { asked?: AbortSignal | null; onBegin?: (() => void) | undefined }

/** Resolves when the server accepts the email. Rejects with an error below, or with one that isn't the server's: retry later. */
export type Mailer = {
  send(mail: OutgoingMail, how?: Sending): Promise<void>
  /** The email is read in its outbox row, so its text stays after sending. */
  keepsBody?: true
}

/** Permanent: don't retry. */
export class MailRefused extends Error {}

/** Too late: what the email says is no longer true. */
export class MailLapsed extends Error {}

/** The server rejects this email for good. The message is the server's. */
export class MailRefusedByServer extends MailRefused {}

/** The server doesn't accept this email now. The message is the server's. */
export class MailDeferred extends Error {}

/**
 * The server refuses this email with what may be about us: our address, our account, or what it may send. `isCertain`: it refused
 * our own address. `isForGood`: with a permanent reply. The message is the server's.
 */
export class MailSenderRefused extends Error {
  readonly isCertain: boolean
  readonly isForGood: boolean
  constructor(message: string, { isCertain, isForGood }: { isCertain: boolean; isForGood: boolean }) {
    super(message)
    this.isCertain = isCertain
    this.isForGood = isForGood
  }
}

/** We can't connect or log in, so no other email can be sent either. It isn't this email's fault. */
export class MailServerUnavailable extends Error {}

/** The server disconnected during this email. We can't tell yet whether the email is why. */
export class MailServerLeft extends MailServerUnavailable {}

/** The connection broke during this email, but the server lets us back in, so the email may be why. */
export class MailCutOff extends Error {}
