import type { PageText } from './page.ts'

/** What owners edit of this page. */
export type BookCoachingCallText = PageText & {
  heading: string
  lead: string
  /** What the call is for. */
  about: { heading: string; items: string[] }
  /** After a booking. */
  next: { heading: string; steps: { title: string; text: string }[] }
}
