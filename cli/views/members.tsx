import { Text } from 'ink'
import type { Column } from '#cli/table.ts'
import type { AdminMember } from '#shared/contract/admin.ts'
import { Sheet, Table } from './parts.tsx'

export type MembersViewProps = {
  members: readonly AdminMember[]
  columns: readonly Column<AdminMember>[]
  width: number
}

export function MembersView({ members, columns, width }: MembersViewProps) {
  return (
    <Sheet title="Members">
      {members.length === 0 ? <Text>Nobody found.</Text> : <Table columns={columns} rows={members} width={width} />}
    </Sheet>
  )
}
