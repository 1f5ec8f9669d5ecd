import * as v from 'valibot'
import { Email, Id, Instant, Line } from './fields.ts'
import { listEntries } from './listing.ts'

/**
 * `refused`: the mail server rejected the address. `failed`: we gave up, after three days of attempts or because it had expired.
 */
export const mailStatuses = ['waiting', 'sending', 'sent', 'refused', 'failed'] as const
export const MailStatus = v.picklist(mailStatuses, `The status is one of ${mailStatuses.join(', ')}.`)
export type MailStatus = v.InferOutput<typeof MailStatus>

/** Emails a member can turn off. All others are about their money, their account, or something they asked for. */
export const mailPurposes = ['call-reminder', 'card-expiry', 'check-in', 'news'] as const
export type MailPurpose = (typeof mailPurposes)[number]

/** Opt-in: we only send these once a member has agreed. The others are opt-out. */
export const agreedPurposes: readonly MailPurpose[] = ['news']

/** An email's delivery, for owners. Without its body, which may hold one-time links. */
export const AdminMail = v.object({
  id: v.string(),
  to: v.string(),
  /** The account with this address; null if there's none, or it's gone. */
  memberId: v.nullable(v.string()),
  subject: v.string(),
  kind: v.string(),
  status: MailStatus,
  attempts: v.number(),
  lastError: v.nullable(v.string()),
  createdAt: v.string(),
  /** When we try next; null once it's sent or we've given up. */
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
  /** Emails to this account, whatever its address was at the time. */
  member: v.optional(Id),
})
export type AdminMailQuery = v.InferOutput<typeof AdminMailQuery>

/** The mail server takes no email from us, in its own words. One is tried at `nextAt`, and the rest follows once it goes. */
export const MailStop = v.object({ since: v.string(), says: v.string(), nextAt: v.string(), waiting: v.number() })
export type MailStop = v.InferOutput<typeof MailStop>
export const MailStopped = v.object({ stop: v.nullable(MailStop) })

/** An address we send nothing to until an owner lifts the block. */
export const SuppressedAddress = v.object({ email: v.string(), reason: v.string(), since: v.string() })
export type SuppressedAddress = v.InferOutput<typeof SuppressedAddress>
export const SuppressedAddressList = v.array(SuppressedAddress)
export const SuppressRequest = v.object({ email: Email, reason: v.optional(Line(200), '') })
export type SuppressRequest = v.InferOutput<typeof SuppressRequest>
export const SuppressedParams = v.object({ email: Email })

/** Far more than a report that returns our email with its attachment. */
export const maxReportLength = 1_000_000

/** A delivery report (RFC 3464) as it arrived by email. One that `isTrusted` counts even if it names no email of ours. */
export const BounceRequest = v.object({
  report: v.pipe(v.string(), v.maxLength(maxReportLength, 'A delivery report can have up to a million characters.')),
  isTrusted: v.optional(v.boolean(), false),
})
export type BounceRequest = v.InferOutput<typeof BounceRequest>

/**
 * The result of a report: `stopped` now, `known` as stopped before, or `not-ours` if nothing shows that we wrote there. An email
 * the server wouldn't take from us (`policy`), gave up on (`given-up`), delayed or delivered stops nothing.
 */
const bounceOutcomes = ['stopped', 'known', 'not-ours', 'policy', 'given-up', 'delayed', 'delivered'] as const
export const BouncedAddress = v.object({
  email: v.string(),
  /** RFC 3463, such as `5.1.1`; empty if the report has none. */
  status: v.string(),
  diagnostic: v.nullable(v.string()),
  outcome: v.picklist(bounceOutcomes),
})
export type BouncedAddress = v.InferOutput<typeof BouncedAddress>
export const BounceReport = v.object({
  /** The outbox email that bounced; null if it's none of ours. */
  mail: v.nullable(v.pick(AdminMail, ['id', 'to', 'subject'])),
  addresses: v.array(BouncedAddress),
})
export type BounceReport = v.InferOutput<typeof BounceReport>

/** `minutes`: how long it takes at a campaign's pace. `blocked` and `unwanted` are left out. */
export const ResendPlan = v.object({
  since: v.string(),
  emails: v.number(),
  minutes: v.number(),
  blocked: v.number(),
  unwanted: v.number(),
})
export type ResendPlan = v.InferOutput<typeof ResendPlan>
export const ResendQuery = v.object({ since: Instant })
export const ResendRequest = v.object({ since: Instant, emails: v.pipe(v.number(), v.integer(), v.minValue(0)) })
export type ResendRequest = v.InferOutput<typeof ResendRequest>

export const TestMailRequest = v.object({ email: Email })
export type TestMailRequest = v.InferOutput<typeof TestMailRequest>

export const AdminMailParams = v.object({ mailId: v.pipe(v.string(), v.maxLength(36)) })
