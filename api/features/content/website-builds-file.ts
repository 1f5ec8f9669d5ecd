import { z } from 'zod'
import type { WebsiteBuildsText } from '#shared/contract/texts/website-builds.ts'
import { sectionText } from './section-words.ts'
import { pageText, words } from './words.ts'

export const WebsiteBuildsFile: z.ZodType<WebsiteBuildsText> = pageText.extend({
  heading: words,
  lead: words,
  notSetUp: words,
  features: sectionText.extend({ list: z.array(words) }),
  reasons: sectionText.extend({ list: z.array(z.strictObject({ figure: words, label: words, text: words })) }),
  packages: sectionText,
  benefits: sectionText.extend({ list: z.array(words) }),
  custom: z.strictObject({ heading: words, text: words, action: words, subject: words }),
})
