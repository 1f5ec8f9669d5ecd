import * as v from 'valibot'
import { applicationStatuses, businessStages } from '#shared/values/column-values.ts'
import type { applicationLabels } from './application-labels.ts'
import { Email, Id, RequiredLine, RequiredText, TermsVersion } from './fields.ts'
import { TierSlug } from './tier.ts'

export const businessStageLabels: Record<(typeof businessStages)[number], string> = {
  startup: 'just starting out',
  established: '1-3 years',
  growing: '3-5 years',
  scaling: '5+ years',
}
export const BusinessStage = v.picklist(businessStages, 'Business stage is required')

export const ApplicationStatus = v.picklist(applicationStatuses)

export const MembershipApplicationForm = v.object({
  firstName: RequiredLine('First name', 100),
  lastName: RequiredLine('Last name', 100),
  email: Email,
  phone: RequiredLine('Phone', 40),
  businessName: RequiredLine('Business name'),
  trade: RequiredLine('Trade', 100),
  businessStage: BusinessStage,
  yearsInTrade: RequiredLine('The number of years in your trade', 100),
  currentChallenges: RequiredText('Current challenges', 5000),
  goals: RequiredText('Goals', 5000),
  whyJoin: RequiredText('Your reason for joining', 5000),
  hearAboutUs: RequiredLine('How you heard about us', 300),
  agreeTerms: v.literal(true, 'Agree to the terms'),
} satisfies Record<
  keyof typeof applicationLabels | 'firstName' | 'lastName' | 'email' | 'phone' | 'agreeTerms',
  unknown
>)
export type MembershipApplicationForm = v.InferOutput<typeof MembershipApplicationForm>

/** Sent before step 2, so that an applicant who already has an account logs in first. */
export const ApplicantEmail = v.object({ email: Email })

/** `selectedTier` is the slug from step 2, `priceId` one of its prices. Without them, the server takes its default tier and the
 * month’s price. */
export const MembershipApplicationRequest = v.object({
  ...MembershipApplicationForm.entries,
  selectedTier: v.optional(TierSlug),
  priceId: v.optional(Id),
  termsVersion: v.optional(TermsVersion),
})
export type MembershipApplicationRequest = v.InferOutput<typeof MembershipApplicationRequest>

export const MembershipApplicationResponse = v.object({
  success: v.literal(true),
  id: v.string(),
  status: ApplicationStatus,
})
export type MembershipApplicationResponse = v.InferOutput<typeof MembershipApplicationResponse>
