import { z } from 'zod'
import type { CoachCallText } from '#shared/contract/texts/coach-call.ts'
import { sectionText } from './section-words.ts'
import { pageText, words } from './words.ts'

export const CoachCallFile: z.ZodType<CoachCallText> = pageText.extend({
  heading: words,
  lead: words,
  choice: sectionText.extend({ session: words, availability: z.array(words), action: words }),
  points: z.strictObject({ heading: words, list: z.array(words) }),
  calendar: z.strictObject({ name: words, select: words, trouble: words, troubleLink: words, notSetUp: words }),
})
