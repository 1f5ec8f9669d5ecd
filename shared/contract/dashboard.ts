import * as v from 'valibot'
import { ApplicationStatus, BusinessStage } from './application.ts'
import { CoachingRevenue, CoachingTrade } from './coaching.ts'
import { BookingStatus } from './coaching-booking.ts'
import { AdminMember, AdminMemberDetail } from './members.ts'
import { TierSlug } from './tier.ts'
import { MemberVideo } from './video.ts'

/** A membership application in the owners' list. */
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

/** A member in the view-as list. */
export const ViewAsMember = v.pick(AdminMember, ['id', 'firstName', 'lastName', 'email', 'membershipTier'])
export type ViewAsMember = v.InferOutput<typeof ViewAsMember>

/** The member at the head of the view-as page; here the tier is called `membershipType`. */
export const ViewedMember = v.pick(AdminMemberDetail, ['firstName', 'lastName', 'email', 'membershipType', 'createdAt'])
export type ViewedMember = v.InferOutput<typeof ViewedMember>

export const ViewAsVideo = v.pick(MemberVideo, ['id', 'title', 'description', 'category', 'orderIndex'])
export type ViewAsVideo = v.InferOutput<typeof ViewAsVideo>

/** A coaching application in the simple dashboard. The `id` identifies it when an owner changes its status. */
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
