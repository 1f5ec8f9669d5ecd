import type { ColumnText } from '#pwa/features/admin/list/list-table.tsx'

type Who = { name: string; email: string; phone?: string | null }

export const personColumnTexts = <Row>(whoOf: (row: Row) => Who): ColumnText<Row> => [
  ['Name', (row) => whoOf(row).name],
  ['Email', (row) => whoOf(row).email],
  ['Phone', (row) => whoOf(row).phone ?? ''],
]
