import { basename } from 'node:path'
import type { BackupFile } from '#api/features/backup/read-service.ts'
import { timeLabel } from '#cli/labels.ts'
import type { Table } from '#cli/table.ts'
import { rowsIn, sizeLabel } from './options.ts'

export const backupsTable: Table<BackupFile> = {
  title: 'Backups',
  empty: 'No backups.',
  columns: [
    { title: 'FILE', text: ({ file }) => basename(file) },
    { title: 'MADE', text: ({ createdAt }) => timeLabel(createdAt), dropOrder: 1 },
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
    { name: 'bytes', cell: ({ bytes }) => bytes },
    { name: 'isEncrypted', cell: ({ isEncrypted }) => isEncrypted },
    { name: 'rows', cell: ({ manifest }) => (manifest ? rowsIn(manifest.database.tables) : null) },
  ],
}
