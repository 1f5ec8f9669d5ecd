import { z } from 'zod'
import type { BlogText } from '#shared/contract/texts/blog.ts'
import { pageText, words } from './words.ts'

export const BlogFile: z.ZodType<BlogText> = pageText.extend({
  heading: words,
  lead: words,
  closing: z.strictObject({ heading: words, text: words, action: words }),
})
