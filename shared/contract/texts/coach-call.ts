import * as v from 'valibot'
import { Copy, PageText, SectionText } from './parts.ts'

/** A page where members book a call. The coaches' names are the site's. */
export const CoachCallText = v.strictObject({
  ...PageText.entries,
  heading: Copy,
  lead: Copy,
  /** The same while no coach has bookable times here: then members write to the coaches. */
  leadWithoutTimes: Copy,
  choice: v.strictObject({
    ...SectionText.entries,
    session: Copy,
    /** When each coach is available, in the order of the site's coaches. */
    availability: v.array(Copy),
    action: Copy,
  }),
  /** What the call is, or is good for. */
  points: v.strictObject({ heading: Copy, list: v.array(Copy) }),
  calendar: v.strictObject({ name: Copy, select: Copy, trouble: Copy, troubleLink: Copy }),
})
export type CoachCallText = v.InferOutput<typeof CoachCallText>
