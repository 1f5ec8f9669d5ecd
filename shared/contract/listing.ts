import * as v from 'valibot'
import { Line, Page } from './fields.ts'

/** A column to sort by; with `-` before it, the other way round. */
export type SortBy<Key extends string> = Key | `-${Key}`

const bothWays = <const Key extends string>(key: Key): [Key, `-${Key}`] => [key, `-${key}`]

/** What a list of the owners reads from its address, beside its own filters: words to find, an order and a page. */
export const listEntries = <const Key extends string>(...sorts: readonly Key[]) => ({
  ...Page.entries,
  q: v.optional(Line(100)),
  sort: v.optional(v.picklist<readonly SortBy<Key>[]>(sorts.flatMap(bothWays))),
})

/** How many rows a list has in all, on its first page. */
export const totalHeader = 'x-total-count'
