import { Box, Text } from 'ink'
import type { Column, Fact } from '#cli/table.ts'
import { Facts, Sheet, Table } from './parts.tsx'

export type Figures<Row> = {
  title: string
  facts: readonly Fact[]
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  /** Said where there are no rows. */
  empty: string
}

/** A few sums, and the table they come from. */
export function FiguresView<Row>({ title, facts, columns, rows, empty, width }: Figures<Row> & { width: number }) {
  return (
    <Sheet title={title}>
      <Box flexDirection="column" gap={1}>
        {facts.length > 0 && <Facts facts={facts} />}
        {rows.length === 0 ? <Text>{empty}</Text> : <Table columns={columns} rows={rows} width={width} />}
      </Box>
    </Sheet>
  )
}
