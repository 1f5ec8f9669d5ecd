import * as v from 'valibot'
import { Copy, PageText } from './parts.ts'

/** A mail that goes by itself while `isOn`. The greeting and what it has to say are added to the text. */
const FollowUpText = v.strictObject({
  isOn: v.boolean(),
  subject: v.pipe(Copy, v.maxLength(150, 'can have up to 150 characters')),
  text: v.pipe(Copy, v.maxLength(5_000, 'can have up to 5,000 characters')),
})

/** The mails that go by themselves; no page shows them. */
export const FollowUpsText = v.strictObject({
  ...PageText.entries,
  'after-joining': FollowUpText,
  'not-seen': FollowUpText,
  'card-expiring': FollowUpText,
  'coming-back': FollowUpText,
})
export type FollowUpsText = v.InferOutput<typeof FollowUpsText>
