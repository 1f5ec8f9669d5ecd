import * as v from 'valibot'
import { analyticsEventNames } from './analytics.ts'

/** How often an event was counted in the last so many hours or days. Those that owners sent as a test count as `tests` alone. */
export const EventCount = v.object({
  name: v.picklist(analyticsEventNames),
  hours24: v.number(),
  days7: v.number(),
  days30: v.number(),
  /** In the last 24 hours. */
  tests: v.number(),
})
export type EventCount = v.InferOutput<typeof EventCount>

/** Each event once, counted or not. */
export const EventCountList = v.array(EventCount)

/** No page has this path: what is counted of it was sent by owners as a test. */
export const testEventPath = '/admin/test'
