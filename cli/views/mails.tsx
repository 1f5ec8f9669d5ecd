import { Text } from 'ink'
import type { Column } from '#cli/table.ts'
import type { AdminMail } from '#shared/contract/mail.ts'
import { Sheet, Table } from './parts.tsx'

export type MailsViewProps = { mails: readonly AdminMail[]; columns: readonly Column<AdminMail>[]; width: number }

export function MailsView({ mails, columns, width }: MailsViewProps) {
  return (
    <Sheet title="Mail">
      {mails.length === 0 ? <Text>No mail.</Text> : <Table columns={columns} rows={mails} width={width} />}
    </Sheet>
  )
}
