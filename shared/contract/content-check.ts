import * as v from 'valibot'

/**
 * Something on the site an owner has to look at. A `claim` is a sample that only shows in the sandbox. A sample `contact` or a
 * `blank` particular stops the server starting with a live key. An `unset` address hides its pages. An `unfit` text no longer suits
 * its page, which shows the file's own instead. A `name` or a `trade` is a text that still has the name or a word of the trade the
 * site had before owners made it theirs.
 */
export const UnfinishedEntry = v.object({
  kind: v.picklist(['claim', 'contact', 'blank', 'unset', 'unfit', 'name', 'trade']),
  /** The content file, `settings`, or `tiers`. */
  file: v.string(),
  line: v.nullable(v.number()),
  /** The names that lead to it, or the option. */
  entry: v.string(),
  says: v.string(),
})
export type UnfinishedEntry = v.InferOutput<typeof UnfinishedEntry>

export const UnfinishedList = v.array(UnfinishedEntry)

/** Where to find it: an option by its name, anything else by its file, its entry, and its line unless an owner wrote it. */
export const unfinishedPlace = ({ file, line, entry }: UnfinishedEntry): string =>
  file === 'settings' ? entry : `${line === null ? file : `${file}:${line}`} ${entry}`
