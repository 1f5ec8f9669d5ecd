import { z } from 'zod'
import type { AboutText } from '#shared/contract/texts/about.ts'
import { itemText, sectionText } from './section-words.ts'
import { claimName, pageText, words } from './words.ts'

const trustCard = z.union([
  z.strictObject({ claim: claimName, text: words }),
  z.strictObject({ figure: words, label: words, text: words }),
])

export const AboutFile: z.ZodType<AboutText> = pageText.extend({
  heading: words,
  lead: words,
  story: sectionText.extend({ paragraphs: z.array(words) }),
  approach: sectionText.extend({ steps: z.array(itemText) }),
  mission: sectionText.extend({ text: words }),
  trust: sectionText.extend({ cards: z.array(trustCard) }),
})
