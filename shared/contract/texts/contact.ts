import * as v from 'valibot'
import { Copy, PageText } from './parts.ts'

export const ContactText = v.strictObject({
  ...PageText.entries,
  heading: Copy,
  lead: Copy,
  ways: v.strictObject({ heading: Copy, lead: Copy }),
})
export type ContactText = v.InferOutput<typeof ContactText>
