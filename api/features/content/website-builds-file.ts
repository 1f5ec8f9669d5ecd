import { z } from 'zod'
import type { WebsiteBuildsText } from '#shared/contract/texts/website-builds.ts'
import { sectionText } from './section-words.ts'
import { pageText, words } from './words.ts'

/** Pounds, as search engines must be able to read them: £499 or £1,299. */
const pounds = words.regex(/^£\d{1,3}(,\d{3})*$/, 'is not a price such as £1,299')

const websitePackage = z.strictObject({
  name: words,
  price: pounds,
  isMostPopular: z.boolean(),
  features: z.array(words).min(1),
})

export const WebsiteBuildsFile: z.ZodType<WebsiteBuildsText> = pageText.extend({
  heading: words,
  lead: words,
  notSetUp: words,
  features: sectionText.extend({ list: z.array(words) }),
  reasons: sectionText.extend({ list: z.array(z.strictObject({ figure: words, label: words, text: words })) }),
  packages: sectionText.extend({ list: z.array(websitePackage).min(1) }),
  benefits: sectionText.extend({ list: z.array(words) }),
  custom: z.strictObject({ heading: words, text: words, action: words, subject: words }),
})
