import { z } from 'zod'
import type { Servicem8Text } from '#shared/contract/texts/servicem8.ts'
import { itemText, sectionText } from './section-words.ts'
import { pageText, words } from './words.ts'

const option = z.strictObject({
  name: words,
  text: words,
  lines: z.array(z.strictObject({ what: words, price: words })),
  subject: words,
})

export const Servicem8File: z.ZodType<Servicem8Text> = pageText.extend({
  heading: words,
  lead: words,
  setup: z.strictObject({
    name: words,
    price: z.int().positive(),
    lines: z.array(z.strictObject({ label: words, value: words })),
    action: words,
    subject: words,
  }),
  features: sectionText.extend({ list: z.array(itemText) }),
  quotes: sectionText.extend({ action: words, options: z.array(option) }),
  end: sectionText.extend({ text: words, action: words }),
})
