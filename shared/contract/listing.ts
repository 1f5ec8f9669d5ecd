import * as v from 'valibot'
import { Line, Page } from './fields.ts'

export type SortBy<Key extends string> = Key | `-${Key}`

const bothWays = <const Key extends string>(key: Key): [Key, `-${Key}`] => [key, `-${key}`]

/** What an owners' list reads from its address, apart from its own filters: a search, an order and a page. */
export const listEntries = <const Key extends string>(...sorts: readonly Key[]) => ({
  ...Page.entries,
  q: v.optional(Line(100)),
  sort: v.optional(v.picklist<readonly SortBy<Key>[]>(sorts.flatMap(bothWays))),
})

/** The list's total number of rows, sent with its first page. */
export const totalHeader = 'x-total-count'
