import type { PageText } from './page.ts'

/** What owners edit of this page. */
export type ContactText = PageText & {
  heading: string
  lead: string
  /** Over the other routes to the coaches. */
  ways: { heading: string; lead: string }
}
