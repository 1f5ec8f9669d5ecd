import { Text } from 'ink'
import type { Column } from '#cli/table.ts'
import type { AdminQuotientOrder } from '#shared/contract/quotient.ts'
import { Sheet, Table } from './parts.tsx'

export type OrdersViewProps = {
  orders: readonly AdminQuotientOrder[]
  columns: readonly Column<AdminQuotientOrder>[]
  width: number
}

export function OrdersView({ orders, columns, width }: OrdersViewProps) {
  return (
    <Sheet title="Quotient orders">
      {orders.length === 0 ? <Text>No orders yet.</Text> : <Table columns={columns} rows={orders} width={width} />}
    </Sheet>
  )
}
