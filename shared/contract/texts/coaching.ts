import type { PageText } from './page.ts'
import type { ItemText, SectionText } from './section.ts'

/** A side of life that the coaching is about, and what it covers. */
export type CoachingTheme = { title: string; text: string; topics: ItemText[] }

/** What owners edit of this page. */
export type CoachingText = PageText & {
  hero: { heading: string; lead: string }
  themes: SectionText & { items: CoachingTheme[] }
  tiers: SectionText
  start: SectionText & { steps: ItemText[]; dialog: string }
  direct: SectionText
}
