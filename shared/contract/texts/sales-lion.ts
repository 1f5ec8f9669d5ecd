import * as v from 'valibot'
import { Claim, Copy, ItemText, PageText, SectionText } from './parts.ts'

/** A page of the sales platform in a dialog: its button and the dialog's title. */
const EmbedText = v.strictObject({ button: Copy, second: v.optional(Copy), title: Copy })

export const SalesLionText = v.strictObject({
  ...PageText.entries,
  heading: Copy,
  lead: Copy,
  call: EmbedText,
  pricing: EmbedText,
  payment: EmbedText,
  features: v.strictObject({ ...SectionText.entries, list: v.array(Copy) }),
  videos: v.strictObject({
    ...SectionText.entries,
    demo: ItemText,
    caseStudy: ItemText,
    play: Copy,
  }),
  training: v.strictObject({ ...SectionText.entries, list: v.array(ItemText), play: Copy }),
  offer: v.strictObject({ ...SectionText.entries, access: Claim, priceRise: Claim }),
  reminder: v.strictObject({ heading: Copy, text: Copy, button: Copy }),
})
export type SalesLionText = v.InferOutput<typeof SalesLionText>
