import type { PageText } from './page.ts'
import type { ItemText, SectionText } from './section.ts'

/** What owners edit of this page. A `subject` heads the message that a visitor writes after pressing its button. */
export type Servicem8Text = PageText & {
  heading: string
  lead: string
  /** The set-up package: `price` in whole pounds, without VAT. */
  setup: { name: string; price: number; lines: { label: string; value: string }[]; action: string; subject: string }
  features: SectionText & { list: ItemText[] }
  /** Ways to lay out a quote, each with a sample. */
  quotes: SectionText & {
    action: string
    options: { name: string; text: string; lines: { what: string; price: string }[]; subject: string }[]
  }
  end: SectionText & { text: string; action: string }
}
