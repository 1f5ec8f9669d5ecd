import * as v from 'valibot'
import { ApplicationStatus } from './application.ts'
import {
  Email,
  honeypot,
  Id,
  Instant,
  OptionalChoice,
  OptionalLine,
  OptionalText,
  RequiredChoice,
  RequiredLine,
  RequiredText,
} from './fields.ts'
import { coachingApplicationLabels } from './form-labels.ts'

export const coachingTrades = [
  'plumber',
  'electrician',
  'builder',
  'carpenter',
  'painter',
  'roofer',
  'heating',
  'landscaper',
  'other',
] as const
export const CoachingTrade = v.picklist(coachingTrades, 'Please choose one of the trades.')

/** Pounds a year. */
export const coachingRevenues = ['under-50k', '50k-100k', '100k-200k', '200k-500k', 'over-500k'] as const
export const CoachingRevenue = v.picklist(coachingRevenues, 'Please choose one of the ranges.')

/** Hours a week. */
export const coachingCommitments = ['1-2', '3-5', '5-10', '10+'] as const

/** Pounds. */
export const coachingInvestments = ['under-1k', '1k-3k', '3k-5k', '5k+'] as const

export const coachingSources = ['podcast', 'youtube', 'social-media', 'google', 'referral', 'other'] as const

const wholeYears = 'Please give whole years, such as 12.'

/** Whole years, as a number or as typed; left out, null and empty are null. */
const YearsInBusiness = v.optional(
  v.nullable(
    v.pipe(
      v.union([v.number(), v.pipe(v.string(), v.trim(), v.regex(/^\d*$/, wholeYears))], wholeYears),
      v.transform((years) => (years === '' ? null : Number(years))),
      v.check((years) => years === null || (Number.isInteger(years) && years >= 0 && years <= 100), wholeYears),
    ),
  ),
  null,
)

const labels = coachingApplicationLabels

/** What the coaching application asks. */
export const CoachingApplicationForm = v.object({
  name: RequiredLine(labels.name, 100),
  email: Email,
  phone: RequiredLine(labels.phone, 40),
  trade: RequiredChoice(labels.trade, coachingTrades),
  businessName: OptionalLine(200),
  yearsInBusiness: YearsInBusiness,
  currentRevenue: OptionalChoice(coachingRevenues, 'Please choose one of the ranges.'),
  biggestChallenge: RequiredText(labels.biggestChallenge, 5000),
  goals: RequiredText(labels.goals, 5000),
  timeCommitment: RequiredChoice(labels.timeCommitment, coachingCommitments),
  investment: RequiredChoice(labels.investment, coachingInvestments),
  heardAbout: OptionalChoice(coachingSources, 'Please choose one of the answers.'),
  additionalInfo: OptionalText(5000),
})
export type CoachingApplicationForm = v.InferOutput<typeof CoachingApplicationForm>

export const CoachingApplicationRequest = v.object({ ...CoachingApplicationForm.entries, ...honeypot })
export type CoachingApplicationRequest = v.InferOutput<typeof CoachingApplicationRequest>

export const CoachingApplicationResponse = v.object({
  success: v.literal(true),
  id: Id,
  status: ApplicationStatus,
  receivedAt: Instant,
})
export type CoachingApplicationResponse = v.InferOutput<typeof CoachingApplicationResponse>
