import { z } from 'zod'
import type { MembershipTiersText } from '#shared/contract/texts/membership-tiers.ts'
import { pageText, words } from './words.ts'

export const MembershipTiersFile: z.ZodType<MembershipTiersText> = pageText.extend({
  faq: z.array(z.strictObject({ topic: words, answer: words })),
})
