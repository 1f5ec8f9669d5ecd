import * as v from 'valibot'
import { Copy, PageText } from './parts.ts'

/** An automatic email, sent while `isOn`. We add the greeting and the facts to the text. */
const FollowUpText = v.strictObject({
  isOn: v.boolean(),
  subject: v.pipe(Copy, v.maxLength(150, 'can have up to 150 characters')),
  text: v.pipe(Copy, v.maxLength(5_000, 'can have up to 5,000 characters')),
})

/** The automatic emails; no page shows them. */
export const FollowUpsText = v.strictObject({
  ...PageText.entries,
  'after-joining': FollowUpText,
  'not-seen': FollowUpText,
  'card-expiring': FollowUpText,
  'coming-back': FollowUpText,
})
export type FollowUpsText = v.InferOutput<typeof FollowUpsText>
