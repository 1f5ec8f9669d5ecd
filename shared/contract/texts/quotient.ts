import type { QuotientPackage } from '#shared/contract/quotient-setups.ts'
import type { PageText } from './page.ts'
import type { ItemText, SectionText } from './section.ts'

/** A figure that owners vouch for; `isOn` false leaves it out. */
type Stat = { isOn: boolean; figure: string; label: string }

/** A package in words; what it costs is `quotientPrices`. */
export type QuotientOffer = { name: string; features: string[] }

/** Where buyers ask, and how soon they are answered: "2-4 hours", "9 AM-6 PM Monday-Friday". */
export type QuotientHelp = { email: string; phone: string; response: string; hours: string }

/** What owners edit of this page and of the checkout behind it; the prices are the server's. */
export type QuotientText = PageText & {
  heading: string
  lead: string
  stats: Stat[]
  /** A quote as the customer's phone shows it, with what happened to it. */
  sample: { job: string; customer: string; total: string; state: string; happenings: { time: string; what: string }[] }
  benefits: SectionText & { items: ItemText[] }
  packages: SectionText & { offers: Record<QuotientPackage, QuotientOffer> }
  /** What each of the six pictures shows, in their order. */
  gallery: SectionText & { pictures: string[] }
  checkout: PageText & { name: string; heading: string; lead: string }
  /** After the payment: what happens next, also in the buyer's mail. */
  success: PageText & { name: string; steps: ItemText[]; help: QuotientHelp }
}
