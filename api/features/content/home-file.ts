import { z } from 'zod'
import { type HomeText, weekDays } from '#shared/contract/texts/home.ts'
import { itemText, sectionText } from './section-words.ts'
import { pageText, words } from './words.ts'

const idsDiffer = (items: { id: string }[]) => new Set(items.map(({ id }) => id)).size === items.length
const differ = 'each needs an id of its own'

const review = z.strictObject({
  id: words,
  author: words,
  rating: z.int().min(1).max(5),
  text: words,
  date: words,
  verified: z.boolean(),
  trade: words.optional(),
  isSample: z.boolean().optional(),
})

const quote = z.strictObject({ id: words, text: words, author: words, category: words })

export const HomeFile: z.ZodType<HomeText> = pageText.extend({
  hero: z.strictObject({ promises: z.array(words).length(3), callNote: words }),
  benefits: sectionText.extend({ trades: words, jobs: z.array(itemText).length(3) }),
  journey: sectionText.extend({ steps: z.array(itemText).length(3) }),
  tiers: sectionText,
  snags: sectionText.extend({ items: z.array(z.strictObject({ advice: words, putRight: words })).min(1) }),
  video: z.strictObject({ label: words, before: words, after: words, text: words }),
  reviews: sectionText.extend({ items: z.array(review).refine(idsDiffer, differ) }),
  join: sectionText.extend({ callDay: z.enum(weekDays), hours: words, calls: itemText, support: itemText }),
  quotes: z.strictObject({ name: words, heading: words, items: z.array(quote).min(2).refine(idsDiffer, differ) }),
  lastCall: z.strictObject({ heading: words, lead: words, action: words }),
})
