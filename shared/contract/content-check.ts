import * as v from 'valibot'

/**
 * Something of the site that an owner has to look at. A `claim` came with the software and is shown in the sandbox alone; a
 * sample `contact` and a `blank` particular refuse a start with one. An `unset` address leaves its pages. What an owner wrote
 * is `unfit` where it no longer suits its page, which shows the file's own instead.
 */
export const UnfinishedEntry = v.object({
  kind: v.picklist(['claim', 'contact', 'blank', 'unset', 'unfit']),
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

/** Where to find it: an option by its name, all else by its file, its line unless an owner wrote it, and its entry. */
export const unfinishedPlace = ({ file, line, entry }: UnfinishedEntry): string =>
  file === 'settings' ? entry : `${line === null ? file : `${file}:${line}`} ${entry}`
