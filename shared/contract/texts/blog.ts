import type { PageText } from './page.ts'
import type { SectionText } from './section.ts'

/** What owners edit of the list of posts and of what stands around each post. */
export type BlogText = PageText & {
  /** What stands in the margin. */
  name: string
  heading: string
  lead: string
  /** All posts but the newest. */
  older: SectionText
  /** For as long as there is no post. */
  empty: { heading: string; text: string; action: string }
  /** At the end of every post. */
  closing: { heading: string; text: string; action: string }
}
