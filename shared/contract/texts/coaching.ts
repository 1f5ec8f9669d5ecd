import * as v from 'valibot'
import { Copy, ItemText, listOf, PageText, SectionText } from './parts.ts'

const CoachingTheme = v.strictObject({ ...ItemText.entries, topics: listOf(ItemText, 2, 4) })

export const CoachingText = v.strictObject({
  ...PageText.entries,
  hero: v.strictObject({ heading: Copy, lead: Copy }),
  themes: v.strictObject({ ...SectionText.entries, items: v.pipe(v.array(CoachingTheme), v.length(3)) }),
  tiers: SectionText,
  start: v.strictObject({ ...SectionText.entries, steps: listOf(ItemText, 2, 5), dialog: Copy }),
  direct: SectionText,
})
export type CoachingText = v.InferOutput<typeof CoachingText>
