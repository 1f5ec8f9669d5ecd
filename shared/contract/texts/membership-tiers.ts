import type { PageText } from './page.ts'
import type { SectionText } from './section.ts'

/** What owners edit of this page. */
export type MembershipTiersText = PageText & {
  heading: string
  lead: string
  tiers: SectionText
  questions: SectionText
  /** The questions, each with its answer. */
  faq: { topic: string; answer: string }[]
}
