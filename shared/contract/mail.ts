import * as v from 'valibot'
import { Email, Id, Line } from './fields.ts'
import { listEntries } from './listing.ts'

/** `refused` means that the mail server rejected the address, `failed` that it was given up: after three days of attempts, or since it had lapsed. */
export const mailStatuses = ['waiting', 'sending', 'sent', 'refused', 'failed'] as const
export const MailStatus = v.picklist(mailStatuses, `The status is one of ${mailStatuses.join(', ')}.`)
export type MailStatus = v.InferOutput<typeof MailStatus>

/** Mails that a member may do without. All others are about their money, their account, or something that they asked for. */
export const mailPurposes = ['call-reminder', 'card-expiry', 'check-in', 'news'] as const
export type MailPurpose = (typeof mailPurposes)[number]

/** Of these nobody gets any until they have agreed; the others come until they are stopped. */
export const agreedPurposes: readonly MailPurpose[] = ['news']

/** A mail's delivery, for the owners. Its body is left out, since it may hold one-time links. */
export const AdminMail = v.object({
  id: v.string(),
  to: v.string(),
  /** The account of this address; null where there is none, or no longer. */
  memberId: v.nullable(v.string()),
  subject: v.string(),
  /** The purpose, such as `welcome`, `receipt` or `payment-failed`. */
  kind: v.string(),
  status: MailStatus,
  attempts: v.number(),
  /** The mail server's message at the last attempt. */
  lastError: v.nullable(v.string()),
  createdAt: v.string(),
  /** When it is tried next; null once it was sent or given up. */
  nextAttemptAt: v.nullable(v.string()),
  sentAt: v.nullable(v.string()),
  canResend: v.boolean(),
})
export type AdminMail = v.InferOutput<typeof AdminMail>
export const AdminMailList = v.array(AdminMail)

export const AdminMailQuery = v.object({
  ...listEntries('queued', 'to'),
  status: v.optional(MailStatus),
  to: v.optional(Email),
  /** Mails to this account, whatever its address was then. */
  member: v.optional(Id),
})
export type AdminMailQuery = v.InferOutput<typeof AdminMailQuery>

/** An address that no mail goes to, whatever it is about, until an owner lifts that. */
export const SuppressedAddress = v.object({ email: v.string(), reason: v.string(), since: v.string() })
export type SuppressedAddress = v.InferOutput<typeof SuppressedAddress>
export const SuppressedAddressList = v.array(SuppressedAddress)
export const SuppressRequest = v.object({ email: Email, reason: v.optional(Line(200), '') })
export type SuppressRequest = v.InferOutput<typeof SuppressRequest>
export const SuppressedParams = v.object({ email: Email })

/** Far more than a report holds that returns a mail of ours with its attachment. */
export const maxReportLength = 1_000_000

/** A delivery report (RFC 3464) as it came by mail. One that `isTrusted` counts although it names no mail of ours. */
export const BounceRequest = v.object({
  report: v.pipe(v.string(), v.maxLength(maxReportLength, 'A delivery report can have up to a million characters.')),
  isTrusted: v.optional(v.boolean(), false),
})
export type BounceRequest = v.InferOutput<typeof BounceRequest>

/**
 * What follows from a report: `stopped` now, `known` as stopped before, `not-ours` where nothing shows that we wrote there. Nothing is
 * stopped by what the server did not take from us (`policy`), was tried too long (`given-up`), is late, or arrived.
 */
const bounceOutcomes = ['stopped', 'known', 'not-ours', 'policy', 'given-up', 'delayed', 'delivered'] as const
export const BouncedAddress = v.object({
  email: v.string(),
  /** Of RFC 3463, such as `5.1.1`; empty where the report has none. */
  status: v.string(),
  /** The mail server's own words. */
  diagnostic: v.nullable(v.string()),
  outcome: v.picklist(bounceOutcomes),
})
export type BouncedAddress = v.InferOutput<typeof BouncedAddress>
export const BounceReport = v.object({
  /** The mail of the outbox that came back; null where it is none of ours. */
  mail: v.nullable(v.pick(AdminMail, ['id', 'to', 'subject'])),
  addresses: v.array(BouncedAddress),
})
export type BounceReport = v.InferOutput<typeof BounceReport>

/** Where a mail goes that says nothing but that mail arrives. */
export const TestMailRequest = v.object({ email: Email })
export type TestMailRequest = v.InferOutput<typeof TestMailRequest>

export const AdminMailParams = v.object({ mailId: v.pipe(v.string(), v.maxLength(36)) })
