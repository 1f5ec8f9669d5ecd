import * as v from 'valibot'
import { bookingTradeKeys } from '#shared/contract/form-labels.ts'
import { Copy, ItemText, PageText } from './parts.ts'

export const BookCoachingCallText = v.strictObject({
  ...PageText.entries,
  heading: Copy,
  lead: Copy,
  about: v.strictObject({ heading: Copy, items: v.array(Copy) }),
  next: v.strictObject({ heading: Copy, steps: v.array(ItemText) }),
  trades: v.strictObject(v.entriesFromList(bookingTradeKeys, Copy)),
})
export type BookCoachingCallText = v.InferOutput<typeof BookCoachingCallText>
