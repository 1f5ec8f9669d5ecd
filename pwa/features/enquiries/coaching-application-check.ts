import { checkBy } from '#pwa/features/forms/check-by.ts'
import { CoachingApplicationForm } from '#shared/contract/coaching.ts'

export const checkCoachingApplication = checkBy(CoachingApplicationForm, (form) => form)
