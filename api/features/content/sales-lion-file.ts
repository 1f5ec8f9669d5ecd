import { z } from 'zod'
import type { SalesLionText } from '#shared/contract/texts/sales-lion.ts'
import { itemText, sectionText } from './section-words.ts'
import { claim, pageText, words } from './words.ts'

const frame = z.strictObject({ button: words, second: words.optional(), title: words })

export const SalesLionFile: z.ZodType<SalesLionText> = pageText.extend({
  heading: words,
  lead: words,
  call: frame,
  pricing: frame,
  payment: frame,
  notSetUp: words,
  features: sectionText.extend({ list: z.array(words) }),
  videos: sectionText.extend({ demo: itemText, caseStudy: itemText, play: words, notSetUp: words }),
  training: sectionText.extend({ list: z.array(itemText), play: words, notSetUp: words }),
  offer: sectionText.extend({ access: claim, priceRise: claim }),
  reminder: z.strictObject({ heading: words, text: words, button: words, notSetUp: words }),
})
