import type { ClaimName } from '#shared/contract/site-content.ts'
import type { PageText } from './page.ts'
import type { ItemText, SectionText } from './section.ts'

/** A card with one of the site's claims, gone when the claim is off, or with a figure of its own. */
type TrustCard = { claim: ClaimName; text: string } | { figure: string; label: string; text: string }

/** What owners edit of this page. */
export type AboutText = PageText & {
  heading: string
  lead: string
  story: SectionText & { paragraphs: string[] }
  approach: SectionText & { steps: ItemText[] }
  mission: SectionText & { text: string }
  trust: SectionText & { cards: TrustCard[] }
}
