import type { PageText } from './page.ts'

/** What owners edit of this page; the programme's price stands with the other readings of prices. */
export type CoachingApplicationText = PageText & {
  heading: string
  lead: string
  /** The side panel. */
  included: { heading: string; items: string[] }
  investment: { heading: string; note: string }
}
