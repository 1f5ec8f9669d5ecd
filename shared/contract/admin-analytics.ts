import * as v from 'valibot'
import { analyticsEventNames } from './analytics.ts'

/** An event's count today and over the last so many days, London time. Owners' tests only count as `tests`. */
export const EventCount = v.object({
  name: v.picklist(analyticsEventNames),
  today: v.number(),
  days7: v.number(),
  days30: v.number(),
  tests: v.number(),
})
export type EventCount = v.InferOutput<typeof EventCount>

/** Every event appears once, counted or not. */
export const EventCountList = v.array(EventCount)
