import * as v from 'valibot'

/**
 * Something that came with the software in place of the firm's own. A `claim` is not shown with a live key; a `contact` and a
 * `blank` particular refuse a start with one.
 */
export const UnfinishedEntry = v.object({
  kind: v.picklist(['claim', 'contact', 'blank']),
  /** The content file, or `settings`. */
  file: v.string(),
  line: v.nullable(v.number()),
  /** The names that lead to it, or the option. */
  entry: v.string(),
  /** What stands there. */
  says: v.string(),
})
export type UnfinishedEntry = v.InferOutput<typeof UnfinishedEntry>

export const UnfinishedList = v.array(UnfinishedEntry)
