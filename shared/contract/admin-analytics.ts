import * as v from 'valibot'
import { analyticsEventNames } from './analytics.ts'

/** How often an event was counted today and in the last so many days, by London's. Those that owners sent as a test count as `tests` alone. */
export const EventCount = v.object({
  name: v.picklist(analyticsEventNames),
  today: v.number(),
  days7: v.number(),
  days30: v.number(),
  /** Of today. */
  tests: v.number(),
})
export type EventCount = v.InferOutput<typeof EventCount>

/** Each event once, counted or not. */
export const EventCountList = v.array(EventCount)
