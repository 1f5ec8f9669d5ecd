import * as v from 'valibot'
import { Tiers, Version, WrittenText } from './admin-announcement.ts'
import { Email, Id, Instant, Month, RequiredLine } from './fields.ts'
import { listEntries } from './listing.ts'
import { TierSlug } from './tier.ts'

/** Who a mailing is for, by the current state of their membership. */
export const audienceStates = ['with-access', 'payment-due', 'ending', 'complimentary', 'former'] as const

/** `news` goes to members who agreed to news; `service` to every member concerned, about the membership they pay for. */
export const mailingPurposes = ['news', 'service'] as const
export const MailingPurpose = v.picklist(mailingPurposes, 'Choose news or membership.')
export type MailingPurpose = v.InferOutput<typeof MailingPurpose>

const atMost = (most: number, message: string) =>
  v.pipe(v.number(message), v.integer(message), v.minValue(1, message), v.maxValue(most, message))

/** Each entry narrows it, unless it's null or empty. */
export const Segment = v.object({
  tiers: v.optional(Tiers, []),
  state: v.optional(v.picklist(audienceStates, 'There’s no such state.'), 'with-access'),
  /** Videos done at least; `nothing`: none done. */
  progress: v.optional(v.nullable(v.union([v.literal('nothing'), atMost(1_000, 'Give a number of videos.')])), null),
  notSeenDays: v.optional(v.nullable(atMost(3_650, 'Give a number of days.')), null),
  /** The month in which the membership began. */
  joined: v.optional(v.nullable(Month), null),
})
export type Segment = v.InferOutput<typeof Segment>

/** Most mail providers take so many. */
export const usualPerMinute = 60

const fields = {
  subject: RequiredLine('Subject', 150),
  text: WrittenText('Text', 10_000),
  purpose: MailingPurpose,
  segment: Segment,
  /** Emails a minute. Mail providers refuse a sender that's too fast. */
  perMinute: v.optional(atMost(600, 'Up to 600 a minute.'), usualPerMinute),
}

export const MailingRequest = v.object(fields)
export type MailingRequest = v.InferOutput<typeof MailingRequest>
export const MailingChange = v.object({ ...fields, version: Version })
export type MailingChange = v.InferOutput<typeof MailingChange>

/** As stored: a draft with a time to go is scheduled. */
export const storedMailingStatuses = ['draft', 'sending', 'paused', 'stopped', 'sent'] as const
export const mailingStatuses = ['draft', 'scheduled', 'sending', 'paused', 'stopped', 'sent'] as const

/** `waiting`: not handed to the mail server yet; `gone`: the account has been removed since. */
const counted = ['waiting', 'arrived', 'refused', 'failed', 'leftOut', 'stopped', 'gone'] as const
export const MailingReport = v.object(v.entriesFromList(counted, v.number()))
export type MailingReport = v.InferOutput<typeof MailingReport>

export const Mailing = v.object({
  id: v.string(),
  subject: v.string(),
  text: v.string(),
  purpose: MailingPurpose,
  segment: Segment,
  perMinute: v.number(),
  status: v.picklist(mailingStatuses),
  version: v.number(),
  updatedAt: v.string(),
  /** When a scheduled one goes by itself. */
  sendAt: v.nullable(v.string()),
  startedAt: v.nullable(v.string()),
  finishedAt: v.nullable(v.string()),
  report: v.nullable(MailingReport),
})
export type Mailing = v.InferOutput<typeof Mailing>
export const MailingList = v.array(Mailing)

export const MailingQuery = v.object({
  ...listEntries('changed', 'subject'),
  show: v.optional(v.picklist(mailingStatuses)),
})
export type MailingQuery = v.InferOutput<typeof MailingQuery>

export const leftOutReasons = ['not-agreed', 'stopped', 'refused'] as const
export type LeftOutReason = (typeof leftOutReasons)[number]

export const AudienceCount = v.object({
  people: v.number(),
  gets: v.number(),
  leftOut: v.object(v.entriesFromList(leftOutReasons, v.number())),
})
export type AudienceCount = v.InferOutput<typeof AudienceCount>

export const AudiencePerson = v.object({
  id: v.string(),
  name: v.string(),
  email: v.string(),
  tier: v.nullable(TierSlug),
  state: v.picklist(audienceStates),
  lessonsDone: v.number(),
  lastSeenAt: v.nullable(v.string()),
  joinedAt: v.string(),
  leftOut: v.nullable(v.picklist(leftOutReasons)),
})
export type AudiencePerson = v.InferOutput<typeof AudiencePerson>
export const AudienceList = v.array(AudiencePerson)

/** A segment as an address holds it; tiers with hyphens between, as a comma would make a list of them. */
const TierNames = v.pipe(v.string(), v.regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/, 'There’s no such tier.'))
const digits = v.pipe(v.string(), v.regex(/^\d{1,4}$/), v.transform(Number))
export const AudienceQuery = v.object({
  ...listEntries('name'),
  purpose: MailingPurpose,
  tiers: v.optional(TierNames),
  state: v.optional(v.picklist(audienceStates, 'There’s no such state.'), 'with-access'),
  progress: v.optional(v.union([v.literal('nothing'), digits])),
  notSeenDays: v.optional(digits),
  joined: v.optional(Month),
})
export type AudienceQuery = v.InferOutput<typeof AudienceQuery>

/** `gets` is the number of recipients the owner saw. If it has changed since, we send nothing. */
export const SendMailing = v.object({ version: Version, gets: v.pipe(v.number(), v.integer(), v.minValue(1)) })
/** Its audience is counted when it goes. Another time moves it. */
export const ScheduleMailing = v.object({ version: Version, sendAt: Instant })
/** The member to show an email for. Without one it's for a person whose name we don't know. */
export const MailingMember = v.object({ member: v.optional(Id) })
/**
 * `wish` is an idempotency key the page makes for this one test, so a retry sends one email. `to` is an owner; the default is
 * the person who's logged in.
 */
export const MailingTrial = v.object({ ...MailingMember.entries, wish: Id, to: v.optional(Email) })

const recipientStatuses = ['waiting', 'arrived', 'refused', 'failed', 'left-out', 'stopped'] as const

export const MailingRecipient = v.object({
  id: v.string(),
  name: v.string(),
  email: v.string(),
  status: v.picklist(recipientStatuses),
  /** Why it didn't arrive: our reason, or the mail server's own words. */
  why: v.nullable(v.string()),
  at: v.nullable(v.string()),
})
export type MailingRecipient = v.InferOutput<typeof MailingRecipient>
export const MailingRecipientList = v.array(MailingRecipient)
export const MailingRecipientQuery = v.object({
  ...listEntries('name'),
  show: v.optional(v.picklist(recipientStatuses)),
})
export type MailingRecipientQuery = v.InferOutput<typeof MailingRecipientQuery>

export const segmentOf = ({ tiers, state, progress, notSeenDays, joined }: AudienceQuery): Segment => ({
  tiers: (tiers ?? '').split('.').filter((tier) => v.is(TierSlug, tier)),
  state,
  progress: progress ?? null,
  notSeenDays: notSeenDays ?? null,
  joined: joined ?? null,
})
