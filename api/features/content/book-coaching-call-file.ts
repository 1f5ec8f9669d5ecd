import { z } from 'zod'
import type { BookCoachingCallText } from '#shared/contract/texts/book-coaching-call.ts'
import { pageText, words } from './words.ts'

export const BookCoachingCallFile: z.ZodType<BookCoachingCallText> = pageText.extend({
  heading: words,
  lead: words,
  about: z.strictObject({ heading: words, items: z.array(words) }),
  next: z.strictObject({ heading: words, steps: z.array(z.strictObject({ title: words, text: words })) }),
})
