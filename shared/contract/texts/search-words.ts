import * as v from 'valibot'
import { Copy, listOf, PageText } from './parts.ts'

/** Words for one thing, with commas between them. */
const WordGroup = v.pipe(
  Copy,
  v.maxLength(300, 'can have up to 300 characters'),
  v.check(
    (line) => line.split(',').filter((words) => words.trim() !== '').length > 1,
    'needs two words or more, with commas between them',
  ),
)

/** What members' search takes for the same: typing one finds what's said with another. No page shows them. */
export const SearchWords = v.strictObject({ ...PageText.entries, groups: listOf(WordGroup, 0, 300) })
export type SearchWords = v.InferOutput<typeof SearchWords>
