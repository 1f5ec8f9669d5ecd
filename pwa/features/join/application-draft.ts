import * as v from 'valibot'
import type { MembershipApplicationForm } from '#shared/contract/application.ts'
import type { SessionUser } from '#shared/contract/auth.ts'

const typed = v.fallback(v.string(), '')

/** What is typed into the application so far; nothing in it need be right yet. */
export const ApplicationDraft = v.object({
  firstName: typed,
  lastName: typed,
  email: typed,
  phone: typed,
  businessName: typed,
  trade: typed,
  businessStage: typed,
  yearsInTrade: typed,
  currentChallenges: typed,
  goals: typed,
  whyJoin: typed,
  hearAboutUs: typed,
  agreeTerms: v.fallback(v.boolean(), false),
})
export type ApplicationDraft = v.InferOutput<typeof ApplicationDraft>

export type ApplicationField = keyof MembershipApplicationForm
export type ApplicationErrors = Partial<Record<ApplicationField, string>>

export const emptyDraft: ApplicationDraft = v.parse(ApplicationDraft, {})

export const isEmptyDraft = (draft: ApplicationDraft) =>
  Object.values(draft).every((value) => value === '' || value === false)

/** Spares somebody who is logged in what we know already. */
export const draftOf = (user: SessionUser): ApplicationDraft => ({
  ...emptyDraft,
  firstName: user.firstName ?? '',
  lastName: user.lastName ?? '',
  email: user.email,
  phone: user.phone ?? '',
  businessName: user.businessName ?? '',
  trade: user.trade ?? '',
})
