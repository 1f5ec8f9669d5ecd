import type { PageText } from './page.ts'
import type { SectionText } from './section.ts'

/** Sold on the sales platform, so `price` is only words. */
export type WebsitePackage = { name: string; price: string; isMostPopular: boolean; features: string[] }

/** What owners edit of this page. */
export type WebsiteBuildsText = PageText & {
  heading: string
  lead: string
  /** For as long as the address of the sales page is not configured. */
  notSetUp: string
  features: SectionText & { list: string[] }
  reasons: SectionText & { list: { figure: string; label: string; text: string }[] }
  packages: SectionText & { list: WebsitePackage[] }
  benefits: SectionText & { list: string[] }
  custom: { heading: string; text: string; action: string; subject: string }
}
