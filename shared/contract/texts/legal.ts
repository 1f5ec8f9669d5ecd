import * as v from 'valibot'
import { Copy, ItemText, PageText } from './parts.ts'

/**
 * A link in a text: [words](/path), or an address that begins with https:// or mailto:. The closing bracket is optional so that an
 * unclosed link is matched once, not searched for again and again.
 */
const link = /\]\(([^)]*)(\))?/g
const isAddress = /^(\/|https:\/\/|mailto:)\S+$/

/** Words with links. Square brackets without an address are a blank for the firm to fill in. */
const LinkedCopy = v.pipe(
  Copy,
  v.check(
    (text) => [...text.matchAll(link)].every(([, address = '', end]) => end === undefined || isAddress.test(address)),
    'has a broken link: it must start with /, https:// or mailto:',
  ),
  v.metadata({ field: 'links' }),
)

const LegalPart = v.union(
  [
    LinkedCopy,
    v.strictObject({ list: v.array(LinkedCopy) }),
    v.strictObject({ items: v.array(v.strictObject({ ...ItemText.entries, text: LinkedCopy })) }),
    v.strictObject({ form: v.array(LinkedCopy) }),
  ],
  'is a sentence, or has one of: list, items, form',
)
export type LegalPart = v.InferOutput<typeof LegalPart>

/** A page the law requires. `updated` is the day of its last change, YYYY-MM-DD. */
export const LegalText = v.strictObject({
  ...PageText.entries,
  heading: Copy,
  lead: Copy,
  updated: v.pipe(v.string(), v.isoDate('is a day such as 2026-11-21')),
  sections: v.array(v.strictObject({ heading: Copy, body: v.array(LegalPart) })),
})
export type LegalText = v.InferOutput<typeof LegalText>
