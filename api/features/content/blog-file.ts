import { z } from 'zod'
import type { BlogText } from '#shared/contract/texts/blog.ts'
import { sectionText } from './section-words.ts'
import { pageText, words } from './words.ts'

const ending = z.strictObject({ heading: words, text: words, action: words })

export const BlogFile: z.ZodType<BlogText> = pageText.extend({
  name: words,
  heading: words,
  lead: words,
  older: sectionText,
  empty: ending,
  closing: ending,
})
