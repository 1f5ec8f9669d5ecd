import type { PageText } from './page.ts'
import type { SectionText } from './section.ts'

/** What owners edit of this page; the packages stand in `website-packages.ts`. */
export type WebsiteBuildsText = PageText & {
  heading: string
  lead: string
  /** For as long as the address of the sales page is not configured. */
  notSetUp: string
  features: SectionText & { list: string[] }
  reasons: SectionText & { list: { figure: string; label: string; text: string }[] }
  packages: SectionText
  benefits: SectionText & { list: string[] }
  custom: { heading: string; text: string; action: string; subject: string }
}
