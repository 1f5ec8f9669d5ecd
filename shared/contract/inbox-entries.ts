import * as v from 'valibot'
import { applicationStatuses, bookingStatuses } from '#shared/values/column-values.ts'
import { ApplicationStatus, BusinessStage } from './application.ts'
import { CallKind } from './call-kind.ts'
import { CoachingRevenue, CoachingTrade } from './coaching.ts'
import { BookingStatus } from './coaching-booking.ts'
import { Email, Id } from './fields.ts'
import { coachingCommitments, coachingInvestments, coachingSources } from './form-labels.ts'
import { listEntries } from './listing.ts'
import { CallAgreement } from './member-calls.ts'
import { AdminMember, AdminMemberDetail } from './members.ts'
import { TierSlug } from './tier.ts'
import { MemberVideo } from './video.ts'

export const ApplicationRecord = v.object({
  id: v.string(),
  firstName: v.string(),
  lastName: v.string(),
  email: v.string(),
  phone: v.string(),
  businessName: v.string(),
  trade: v.string(),
  businessStage: BusinessStage,
  yearsInTrade: v.string(),
  currentChallenges: v.string(),
  goals: v.string(),
  status: ApplicationStatus,
  createdAt: v.string(),
})
export type ApplicationRecord = v.InferOutput<typeof ApplicationRecord>

export const ViewAsMember = v.pick(AdminMember, ['id', 'firstName', 'lastName', 'email', 'membershipTier'])
export type ViewAsMember = v.InferOutput<typeof ViewAsMember>

/** The member at the top of the view-as page. The tier is called `membershipType` here. */
export const ViewedMember = v.pick(AdminMemberDetail, ['firstName', 'lastName', 'email', 'membershipType', 'createdAt'])
export type ViewedMember = v.InferOutput<typeof ViewedMember>

export const ViewAsVideo = v.pick(MemberVideo, ['id', 'title', 'description', 'category', 'orderIndex'])
export type ViewAsVideo = v.InferOutput<typeof ViewAsVideo>

/** A coaching application in the simple dashboard. An owner changes its status by `id`. */
export const CoachingApplicationRecord = v.object({
  id: v.string(),
  name: v.string(),
  email: v.string(),
  phone: v.string(),
  trade: CoachingTrade,
  businessName: v.nullable(v.string()),
  yearsInBusiness: v.nullable(v.number()),
  currentRevenue: v.nullable(CoachingRevenue),
  status: ApplicationStatus,
  createdAt: v.string(),
})
export type CoachingApplicationRecord = v.InferOutput<typeof CoachingApplicationRecord>

/** A membership application in the simple dashboard, with one name and the chosen tier. */
export const SimpleApplicationRecord = v.object({
  id: v.string(),
  name: v.string(),
  email: v.string(),
  phone: v.string(),
  trade: v.string(),
  businessStage: BusinessStage,
  membershipType: TierSlug,
  status: ApplicationStatus,
  createdAt: v.string(),
})
export type SimpleApplicationRecord = v.InferOutput<typeof SimpleApplicationRecord>

export const ContactRecord = v.object({
  id: v.string(),
  name: v.string(),
  email: v.string(),
  trade: v.nullable(v.string()),
  message: v.string(),
  createdAt: v.string(),
})
export type ContactRecord = v.InferOutput<typeof ContactRecord>

/** `bookingDate` is a day in `timeZone`, `duration` minutes. */
export const BookingRecord = v.object({
  id: v.string(),
  name: v.string(),
  email: v.string(),
  trade: v.nullable(v.string()),
  bookingDate: v.string(),
  timeZone: v.string(),
  duration: v.number(),
  status: BookingStatus,
})
export type BookingRecord = v.InferOutput<typeof BookingRecord>

const spam = 'spam'

export const AdminApplication = v.object({
  ...ApplicationRecord.entries,
  whyJoin: v.string(),
  hearAboutUs: v.string(),
  selectedTier: TierSlug,
  /** The terms they agreed to; null if the application is older than their names. */
  termsVersion: v.nullable(v.string()),
  /** The account with this email address, if it has access now. */
  memberId: v.nullable(v.string()),
})
export type AdminApplication = v.InferOutput<typeof AdminApplication>
export const AdminApplicationList = v.array(AdminApplication)
export const AdminApplicationQuery = v.object({
  ...listEntries('received', 'name', 'status'),
  show: v.optional(v.picklist(applicationStatuses)),
})
export type AdminApplicationQuery = v.InferOutput<typeof AdminApplicationQuery>

export const AdminCoachingApplication = v.object({
  ...CoachingApplicationRecord.entries,
  /** As the content calls it. */
  tradeName: v.string(),
  biggestChallenge: v.string(),
  goals: v.string(),
  timeCommitment: v.picklist(coachingCommitments),
  investment: v.picklist(coachingInvestments),
  heardAbout: v.nullable(v.picklist(coachingSources)),
  additionalInfo: v.nullable(v.string()),
})
export type AdminCoachingApplication = v.InferOutput<typeof AdminCoachingApplication>
export const AdminCoachingApplicationList = v.array(AdminCoachingApplication)
export const AdminCoachingApplicationQuery = v.object({
  ...listEntries('received', 'name', 'status'),
  show: v.optional(v.picklist([...applicationStatuses, spam])),
})
export type AdminCoachingApplicationQuery = v.InferOutput<typeof AdminCoachingApplicationQuery>

export const ContactRecordList = v.array(ContactRecord)

export const unanswered = 'unanswered'

export const ContactQuery = v.object({
  ...listEntries('received', 'name'),
  show: v.optional(v.picklist([unanswered, spam])),
})
export type ContactQuery = v.InferOutput<typeof ContactQuery>

export const AdminBooking = v.object({
  ...BookingRecord.entries,
  /** As the content calls it. */
  tradeName: v.nullable(v.string()),
  /** The account with this address; null if there's none, or it's gone. */
  memberId: v.nullable(v.string()),
  phone: v.nullable(v.string()),
  businessName: v.nullable(v.string()),
  notes: v.nullable(v.string()),
  /** These three are for a call with a time in our own calendar. */
  kind: v.nullable(CallKind),
  coachName: v.nullable(v.string()),
  startsAt: v.nullable(v.string()),
  /** What was agreed in a member's call; null for any other. */
  agreement: v.nullable(CallAgreement),
  createdAt: v.string(),
})
export type AdminBooking = v.InferOutput<typeof AdminBooking>
export const AdminBookingList = v.array(AdminBooking)
export const AdminBookingQuery = v.object({
  ...listEntries('date', 'received', 'name', 'status'),
  show: v.optional(v.picklist([...bookingStatuses, spam])),
  email: v.optional(Email),
})
export type AdminBookingQuery = v.InferOutput<typeof AdminBookingQuery>
export const UpcomingBookingQuery = v.object(listEntries('date', 'received', 'name'))
export type UpcomingBookingQuery = v.InferOutput<typeof UpcomingBookingQuery>

/** `before` is the status the owner saw. If the other owner has changed it since, we don't overwrite it. */
export const ApplicationStatusRequest = v.object({ status: ApplicationStatus, before: v.optional(ApplicationStatus) })
export type ApplicationStatusRequest = v.InferOutput<typeof ApplicationStatusRequest>
export const BookingStatusRequest = v.object({ status: BookingStatus, before: v.optional(BookingStatus) })
export type BookingStatusRequest = v.InferOutput<typeof BookingStatusRequest>

export const EnquiryParams = v.object({ id: Id })
