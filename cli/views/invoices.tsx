import { Box, Text } from 'ink'
import type { Column, Fact } from '#cli/table.ts'
import type { AdminInvoice, FixInvoicesResult } from '#shared/contract/invoices.ts'
import { Facts, Sheet, Table } from './parts.tsx'

type InvoicesViewProps = {
  invoices: readonly AdminInvoice[]
  columns: readonly Column<AdminInvoice>[]
  width: number
}

export function InvoicesView({ invoices, columns, width }: InvoicesViewProps) {
  return (
    <Sheet title="VAT invoices">
      {invoices.length === 0 ? <Text>No invoices.</Text> : <Table columns={columns} rows={invoices} width={width} />}
    </Sheet>
  )
}

type FixedViewProps = {
  facts: readonly Fact[]
  results: readonly FixInvoicesResult[]
  columns: readonly Column<FixInvoicesResult>[]
  width: number
}

export function FixedView({ facts, results, columns, width }: FixedViewProps) {
  return (
    <Box flexDirection="column" gap={1}>
      <Sheet title="VAT invoices">
        <Facts facts={facts} />
      </Sheet>
      {results.length > 0 && (
        <Sheet title="Members">
          <Table columns={columns} rows={results} width={width} />
        </Sheet>
      )}
    </Box>
  )
}
