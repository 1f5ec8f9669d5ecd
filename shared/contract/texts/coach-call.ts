import type { PageText } from './page.ts'
import type { SectionText } from './section.ts'

/** What owners edit of a page on which members book a call; the coaches' names are those of the whole site. */
export type CoachCallText = PageText & {
  heading: string
  lead: string
  choice: SectionText & {
    /** What each card says of the call. */
    session: string
    /** When each coach can be booked, in the order of the site's coaches. */
    availability: string[]
    action: string
  }
  /** What the call is, or is good for. */
  points: { heading: string; list: string[] }
  calendar: {
    name: string
    select: string
    trouble: string
    troubleLink: string
    notSetUp: string
  }
}
