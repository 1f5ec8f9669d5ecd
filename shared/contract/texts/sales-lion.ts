import type { Claim } from '#shared/contract/site-content.ts'
import type { PageText } from './page.ts'
import type { ItemText, SectionText } from './section.ts'

/** A page of the sales platform that opens in a dialog: the button, the dialog's title. */
type FrameText = { button: string; second?: string | undefined; title: string }

/** What owners edit of this page. */
export type SalesLionText = PageText & {
  heading: string
  lead: string
  call: FrameText
  pricing: FrameText
  payment: FrameText
  /** For a dialog whose page has no address yet. */
  notSetUp: string
  features: SectionText & { list: string[] }
  videos: SectionText & { demo: ItemText; caseStudy: ItemText; play: string; notSetUp: string }
  /** The videos' own words, in the order of their addresses. */
  training: SectionText & { list: ItemText[]; play: string; notSetUp: string }
  offer: SectionText & { access: Claim; priceRise: Claim }
  reminder: { heading: string; text: string; button: string; notSetUp: string }
}
