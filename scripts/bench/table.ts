import { type Column, tableText } from '#cli/table.ts'
import type { Result } from './result.ts'

const columns: Column<Result>[] = [
  { title: 'Row', text: ({ row }) => row },
  { title: 'Floor', text: ({ floor }) => floor, align: 'right' },
  { title: 'Product', text: ({ product }) => product, align: 'right' },
  { title: 'Ratio', text: ({ ratio }) => ratio, align: 'right' },
  { title: 'Limit', text: ({ limit }) => limit, align: 'right' },
  { title: '', text: ({ isMet }) => (isMet ? 'ok' : 'short') },
]

/** The table, what its lines had no room for, and one line of what falls short. */
export function report(results: readonly Result[]): string {
  const notes = results.flatMap(({ row, note }) => (note === undefined ? [] : [`${row}: ${note}.`]))
  const short = results.filter(({ isMet }) => !isMet).map(({ row }) => row)
  const verdict = short.length === 0 ? 'Everything holds.' : `Falls short: ${short.join('; ')}.`
  return ['', tableText(columns, results), ...notes, ...(notes.length > 0 ? [''] : []), verdict].join('\n')
}
