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
import {
  coachingApplicationLabels,
  coachingCommitments,
  coachingInvestments,
  coachingRevenues,
  coachingSources,
  coachingTrades,
} from './form-labels.ts'

export const CoachingTrade = v.picklist(coachingTrades, 'Choose one of the trades.')

export const CoachingRevenue = v.picklist(coachingRevenues, 'Choose one of the ranges.')

const wholeYears = 'Give whole years, such as 12.'

/** Whole years, as a number or text. Absent, null and empty all become null. */
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

export const CoachingApplicationForm = v.object({
  name: RequiredLine(labels.name, 100),
  email: Email,
  phone: RequiredLine(labels.phone, 40),
  trade: RequiredChoice(labels.trade, coachingTrades),
  businessName: OptionalLine(200),
  yearsInBusiness: YearsInBusiness,
  currentRevenue: OptionalChoice(coachingRevenues, 'Choose one of the ranges.'),
  biggestChallenge: RequiredText(labels.biggestChallenge, 5000),
  goals: RequiredText(labels.goals, 5000),
  timeCommitment: RequiredChoice(labels.timeCommitment, coachingCommitments),
  investment: RequiredChoice(labels.investment, coachingInvestments),
  heardAbout: OptionalChoice(coachingSources, 'Choose one of the answers.'),
  additionalInfo: OptionalText(5000),
} satisfies Record<keyof typeof labels, unknown>)
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
