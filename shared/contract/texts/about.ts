import * as v from 'valibot'
import { ClaimName } from '#shared/contract/texts/parts.ts'
import { Copy, ItemText, PageText, SectionText } from './parts.ts'

/** A card shows one of the site's claims, and is hidden when that claim is off. Or it has a figure of its own. */
const TrustCard = v.union(
  [v.strictObject({ claim: ClaimName, text: Copy }), v.strictObject({ figure: Copy, label: Copy, text: Copy })],
  'needs a claim’s name and a text, or a figure, a label and a text',
)

export const AboutText = v.strictObject({
  ...PageText.entries,
  heading: Copy,
  lead: Copy,
  /** Who the founders are. A sample only shows in the sandbox. */
  story: v.optional(
    v.strictObject({ isSample: v.optional(v.boolean()), ...SectionText.entries, paragraphs: v.array(Copy) }),
  ),
  /** Above the coaches' names; hidden with them. */
  coaches: SectionText,
  approach: v.strictObject({ ...SectionText.entries, steps: v.array(ItemText) }),
  mission: v.strictObject({ ...SectionText.entries, text: Copy }),
  trust: v.strictObject({ ...SectionText.entries, cards: v.array(TrustCard) }),
})
export type AboutText = v.InferOutput<typeof AboutText>
