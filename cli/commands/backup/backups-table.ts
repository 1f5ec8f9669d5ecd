import { basename } from 'node:path'
import type { ListedBackup } from '#api/features/operations/backup/read-service.ts'
import { timeLabel } from '#cli/labels.ts'
import type { Table } from '#cli/table.ts'
import { rowsIn, sizeLabel } from './options.ts'

export const backupsTable: Table<ListedBackup> = {
  title: 'Backups',
  empty: 'No backups.',
  columns: [
    { title: 'FILE', text: ({ file }) => basename(file) },
    {
      title: 'CREATED',
      text: ({ createdAt, isInFuture }) => `${timeLabel(createdAt)}${isInFuture ? ' (in the future)' : ''}`,
      dropOrder: 1,
    },
    { title: 'SIZE', text: ({ bytes }) => sizeLabel(bytes), align: 'right' },
    {
      title: 'ROWS',
      text: ({ manifest, isEncrypted }) =>
        manifest ? String(rowsIn(manifest.database.tables)) : isEncrypted ? 'encrypted' : 'unreadable',
      align: 'right',
    },
  ],
  csv: [
    { name: 'file', cell: ({ file }) => file },
    { name: 'createdAt', cell: ({ createdAt }) => createdAt },
    { name: 'isInFuture', cell: ({ isInFuture }) => isInFuture },
    { name: 'bytes', cell: ({ bytes }) => bytes },
    { name: 'isEncrypted', cell: ({ isEncrypted }) => isEncrypted },
    { name: 'rows', cell: ({ manifest }) => (manifest ? rowsIn(manifest.database.tables) : null) },
  ],
}
