import { z } from 'zod'
import type { ContactText } from '#shared/contract/texts/contact.ts'
import { pageText, words } from './words.ts'

export const ContactFile: z.ZodType<ContactText> = pageText.extend({
  heading: words,
  lead: words,
  ways: z.strictObject({ heading: words, lead: words }),
})
