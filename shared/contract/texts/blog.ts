import type { PageText } from './page.ts'

/** What owners edit of the list of posts and of what stands around each post. */
export type BlogText = PageText & {
  heading: string
  lead: string
  /** At the end of every post. */
  closing: { heading: string; text: string; action: string }
}
