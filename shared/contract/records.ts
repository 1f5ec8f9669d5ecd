import * as v from 'valibot'
import { AdminMember, AdminMemberDetail } from './admin.ts'
import { ApplicationStatus, BusinessStage } from './application.ts'
import { CoachingRevenue, CoachingTrade } from './coaching.ts'
import { BookingStatus } from './coaching-booking.ts'
import { Month, Pence, Pounds } from './fields.ts'
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

/** A member as the view-as list names him. */
export const ViewAsMember = v.pick(AdminMember, ['id', 'firstName', 'lastName', 'email', 'membershipTier'])
export type ViewAsMember = v.InferOutput<typeof ViewAsMember>

/** A member at the head of his own page; here the tier goes by `membershipType`. */
export const ViewedMember = v.pick(AdminMemberDetail, ['firstName', 'lastName', 'email', 'membershipType', 'createdAt'])
export type ViewedMember = v.InferOutput<typeof ViewedMember>

export const ViewAsVideo = v.pick(MemberVideo, ['id', 'title', 'description', 'category', 'orderIndex'])
export type ViewAsVideo = v.InferOutput<typeof ViewAsVideo>

/** The simple dashboard's rows. `id` is what a change of status names. */
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

/** The same application as `ApplicationRecord`, with one name and the tier that was chosen. */
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

/** An up-sell agreed by hand. */
export const ManualCommission = v.object({
  id: v.string(),
  description: v.string(),
  totalAmount: Pounds,
  commissionAmount: Pounds,
  saleDate: v.string(),
  commissionPaid: v.boolean(),
})
export type ManualCommission = v.InferOutput<typeof ManualCommission>
export const ManualCommissionList = v.array(ManualCommission)

/** One month of one member. */
export const CommissionPayment = v.object({
  id: v.string(),
  paymentMonth: Month,
  paymentDate: v.string(),
  membershipAmount: Pence,
  commissionAmount: Pence,
  commissionPaid: v.boolean(),
  commissionPaidDate: v.nullable(v.string()),
})
export type CommissionPayment = v.InferOutput<typeof CommissionPayment>

/** A member's payments. His own two amounts are pounds excluding VAT, those of the months pence. */
export const MemberPayments = v.object({
  id: v.string(),
  firstName: v.nullable(v.string()),
  lastName: v.nullable(v.string()),
  email: v.string(),
  tierName: v.string(),
  monthlyAmount: Pounds,
  commissionAmount: Pounds,
  monthlyPayments: v.array(CommissionPayment),
})
export type MemberPayments = v.InferOutput<typeof MemberPayments>
export const MemberPaymentsList = v.array(MemberPayments)

export const CommissionHistory = v.object({
  totalMembers: v.number(),
  totalCommissionPaid: Pence,
  totalCommissionOutstanding: Pence,
  membersPaid: v.number(),
  membersUnpaid: v.number(),
})
export type CommissionHistory = v.InferOutput<typeof CommissionHistory>

/** Somebody who has paid and is no member now. */
export const InactiveMember = v.object({
  id: v.string(),
  firstName: v.nullable(v.string()),
  lastName: v.nullable(v.string()),
  email: v.string(),
  commissionPayments: v.array(
    v.pick(CommissionPayment, ['paymentMonth', 'membershipAmount', 'commissionAmount', 'commissionPaid']),
  ),
})
export type InactiveMember = v.InferOutput<typeof InactiveMember>
export const InactiveMemberList = v.array(InactiveMember)

export const invoiceFixStatuses = ['vat_invoice_created', 'error', 'customer_not_found', 'customer_deleted'] as const
export const InvoiceFixStatus = v.picklist(invoiceFixStatuses)
