import { z } from 'zod'
import type { CoachingText } from '#shared/contract/texts/coaching.ts'
import { itemText, sectionText } from './section-words.ts'
import { pageText, words } from './words.ts'

export const CoachingFile: z.ZodType<CoachingText> = pageText.extend({
  hero: z.strictObject({ heading: words, lead: words }),
  themes: sectionText.extend({ items: z.array(itemText.extend({ topics: z.array(itemText).length(3) })).length(3) }),
  tiers: sectionText,
  start: sectionText.extend({ steps: z.array(itemText).length(3), dialog: words }),
  direct: sectionText,
})
