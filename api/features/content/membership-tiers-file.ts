import { z } from 'zod'
import type { MembershipTiersText } from '#shared/contract/texts/membership-tiers.ts'
import { sectionText } from './section-words.ts'
import { pageText, words } from './words.ts'

export const MembershipTiersFile: z.ZodType<MembershipTiersText> = pageText.extend({
  heading: words,
  lead: words,
  tiers: sectionText,
  questions: sectionText,
  faq: z.array(z.strictObject({ topic: words, answer: words })),
})
