import * as v from 'valibot'
import { Copy, PageText, SectionText } from './parts.ts'

/** A page on which members book a call; the coaches' names are those of the whole site. */
export const CoachCallText = v.strictObject({
  ...PageText.entries,
  heading: Copy,
  lead: Copy,
  /** The same while nobody's times can be chosen here: then the coaches are written to. */
  leadWithoutTimes: Copy,
  choice: v.strictObject({
    ...SectionText.entries,
    /** What each card says about the call. */
    session: Copy,
    /** When each coach can be booked, in the order of the site's coaches. */
    availability: v.array(Copy),
    action: Copy,
  }),
  /** What the call is, or is good for. */
  points: v.strictObject({ heading: Copy, list: v.array(Copy) }),
  calendar: v.strictObject({ name: Copy, select: Copy, trouble: Copy, troubleLink: Copy }),
})
export type CoachCallText = v.InferOutput<typeof CoachCallText>
