import * as v from 'valibot'
import { Copy, PageText, SectionText } from './parts.ts'

export const MembershipTiersText = v.strictObject({
  ...PageText.entries,
  heading: Copy,
  lead: Copy,
  tiers: SectionText,
  questions: SectionText,
  faq: v.array(v.strictObject({ topic: Copy, answer: Copy })),
})
export type MembershipTiersText = v.InferOutput<typeof MembershipTiersText>
