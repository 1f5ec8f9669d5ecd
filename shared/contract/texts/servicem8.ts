import * as v from 'valibot'
import { Copy, ItemText, PageText, SectionText } from './parts.ts'

const QuoteOption = v.strictObject({
  name: Copy,
  text: Copy,
  lines: v.array(v.strictObject({ what: Copy, price: Copy })),
  subject: Copy,
})

/** `subject` is the subject line of the message a button starts. */
export const Servicem8Text = v.strictObject({
  ...PageText.entries,
  heading: Copy,
  lead: Copy,
  setup: v.strictObject({
    name: Copy,
    /** In whole pounds, excluding VAT. */
    price: v.pipe(v.number(), v.integer(), v.minValue(1)),
    lines: v.array(v.strictObject({ label: Copy, value: Copy })),
    action: Copy,
    subject: Copy,
  }),
  features: v.strictObject({ ...SectionText.entries, list: v.array(ItemText) }),
  quotes: v.strictObject({ ...SectionText.entries, action: Copy, options: v.array(QuoteOption) }),
  end: v.strictObject({ ...SectionText.entries, text: Copy, action: Copy }),
})
export type Servicem8Text = v.InferOutput<typeof Servicem8Text>
