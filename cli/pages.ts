import { wrongUsage } from './exit.ts'

/** As many as one call gives at most. */
const largestPage = 1000

/** The number that was given for `--limit`. */
export function countOf(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw wrongUsage('--limit takes a whole number from 1.')
  return Number(text)
}

type PageOf<Row> = { value: Row[]; next: string | null }
export type PageQuery = { limit: number; cursor?: string }

/** Follows the pages of a list until there are enough. */
export async function rowsOf<Row>(wanted: number, askPage: (query: PageQuery) => Promise<PageOf<Row>>) {
  const rows: Row[] = []
  let cursor: string | null = null
  do {
    const limit = Math.min(largestPage, wanted - rows.length)
    const page: PageOf<Row> = await askPage({ limit, ...(cursor === null ? {} : { cursor }) })
    rows.push(...page.value)
    if (page.next === cursor) break
    cursor = page.next
  } while (cursor !== null && rows.length < wanted)
  return { rows, hasMore: cursor !== null }
}
