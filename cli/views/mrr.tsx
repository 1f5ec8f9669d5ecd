import { Box, Text } from 'ink'
import type { Column, Fact } from '#cli/table.ts'
import type { Mrr } from '#shared/contract/admin.ts'
import { Facts, Sheet, Table } from './parts.tsx'

export type MrrViewProps = {
  mrr: Mrr
  figures: readonly Fact[]
  note: string
  tables: {
    tierColumns: readonly Column<Mrr['commission']['breakdown'][number]>[]
    subscriptionColumns: readonly Column<Mrr['subscriptionDetails'][number]>[]
  }
  width: number
}

export function MrrView({ mrr, figures, note, tables, width }: MrrViewProps) {
  return (
    <Box flexDirection="column" gap={1}>
      <Sheet title="Revenue">
        <Facts facts={figures} />
      </Sheet>
      <Sheet title="Commission forecast">
        <Table columns={tables.tierColumns} rows={mrr.commission.breakdown} width={width} />
        <Text dimColor>{note}</Text>
      </Sheet>
      <Sheet title="Subscriptions">
        {mrr.subscriptionDetails.length === 0 ? (
          <Text>No subscriptions yet.</Text>
        ) : (
          <Table columns={tables.subscriptionColumns} rows={mrr.subscriptionDetails} width={width} />
        )}
      </Sheet>
    </Box>
  )
}
