import type { ColumnText } from '#pwa/features/admin/kit/list/list-table.tsx'
import { formatMoment } from '#shared/rules/london.ts'

type Who = { name: string; email: string; phone?: string | null }

export const personColumnTexts = <Row>(whoOf: (row: Row) => Who): ColumnText<Row> => [
  ['Name', (row) => whoOf(row).name],
  ['Email', (row) => whoOf(row).email],
  ['Phone', (row) => whoOf(row).phone ?? ''],
]

export const cardAskedText = (at: string) => `Asked for a new card on ${formatMoment(at)}`
