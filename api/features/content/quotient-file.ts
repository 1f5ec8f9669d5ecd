import { z } from 'zod'
import type { QuotientText } from '#shared/contract/texts/quotient.ts'
import { itemText, sectionText } from './section-words.ts'
import { pageText, words } from './words.ts'

const offer = z.strictObject({ name: words, features: z.array(words).min(1) })

export const QuotientFile: z.ZodType<QuotientText> = pageText.extend({
  heading: words,
  lead: words,
  stats: z.array(z.strictObject({ isOn: z.boolean(), figure: words, label: words })),
  sample: z.strictObject({
    job: words,
    customer: words,
    total: words,
    state: words,
    happenings: z.array(z.strictObject({ time: words, what: words })),
  }),
  benefits: sectionText.extend({ items: z.array(itemText).length(6) }),
  packages: sectionText.extend({ offers: z.strictObject({ professional: offer, master: offer }) }),
  gallery: sectionText.extend({ pictures: z.array(words).length(6) }),
  checkout: pageText.extend({ name: words, heading: words, lead: words }),
  success: pageText.extend({
    name: words,
    steps: z.array(itemText).length(4),
    help: z.strictObject({ email: z.email(), phone: words, response: words, hours: words }),
  }),
})
