import * as v from 'valibot'
import { coachingTrades } from '#shared/contract/form-labels.ts'
import { Copy, PageText } from './parts.ts'

/** The programme's price is among the prices in `site.json`. */
export const CoachingApplicationText = v.strictObject({
  ...PageText.entries,
  heading: Copy,
  lead: Copy,
  included: v.strictObject({ heading: Copy, items: v.array(Copy) }),
  investment: v.strictObject({ heading: Copy, note: Copy }),
  trades: v.strictObject(v.entriesFromList(coachingTrades, Copy)),
})
export type CoachingApplicationText = v.InferOutput<typeof CoachingApplicationText>
