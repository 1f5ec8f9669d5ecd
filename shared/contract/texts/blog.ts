import * as v from 'valibot'
import { Copy, PageText, SectionText } from './parts.ts'

const Invitation = v.strictObject({ heading: Copy, text: Copy, action: Copy })

export const BlogText = v.strictObject({
  ...PageText.entries,
  name: Copy,
  heading: Copy,
  lead: Copy,
  older: SectionText,
  empty: Invitation,
  closing: Invitation,
})
export type BlogText = v.InferOutput<typeof BlogText>
