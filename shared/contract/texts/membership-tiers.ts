import type { PageText } from './page.ts'

/** What owners edit of this page. */
export type MembershipTiersText = PageText & {
  /** The questions, each with its answer. */
  faq: { topic: string; answer: string }[]
}
