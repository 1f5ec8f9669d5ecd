import { z } from 'zod'
import type { CoachingApplicationText } from '#shared/contract/texts/coaching-application.ts'
import { pageText, words } from './words.ts'

export const CoachingApplicationFile: z.ZodType<CoachingApplicationText> = pageText.extend({
  heading: words,
  lead: words,
  included: z.strictObject({ heading: words, items: z.array(words) }),
  investment: z.strictObject({ heading: words, note: words }),
})
