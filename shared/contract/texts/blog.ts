import * as v from 'valibot'
import { Copy, PageText, SectionText } from './parts.ts'

const Invitation = v.strictObject({ heading: Copy, text: Copy, action: Copy })

/** The list of posts, and the frame around each post. */
export const BlogText = v.strictObject({
  ...PageText.entries,
  /** The list's name in the margin. */
  name: Copy,
  heading: Copy,
  lead: Copy,
  /** All posts but the newest. */
  older: SectionText,
  /** As long as there is no post. */
  empty: Invitation,
  /** At the end of every post. */
  closing: Invitation,
})
export type BlogText = v.InferOutput<typeof BlogText>
