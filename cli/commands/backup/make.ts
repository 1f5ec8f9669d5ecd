import type { OpenedBackup } from '#api/features/backup/read-service.ts'
import { CliError, exitCodes } from '#cli/exit-codes.ts'
import type { Io } from '#cli/io.ts'
import { timeLabel } from '#cli/labels.ts'
import { note, print, recordSheet, sectionsOutput, tableOutput } from '#cli/output.ts'
import { plural } from '#shared/rules/plural.ts'
import { backupsTable } from './backups-table.ts'
import { assertLocal, type BackupOptions, loadMachine, passphraseOf, rowsIn, sizeLabel } from './options.ts'

export async function create(io: Io, options: BackupOptions): Promise<void> {
  assertLocal(io, options)
  const passphrase = await passphraseOf(io, options, true)
  const { makeBackup } = await loadMachine()
  const { file, bytes, manifest } = await makeBackup(io, {
    to: options.to,
    passphrase,
    isMediaApart: options.mediaApart === true,
  })
  const rows = rowsIn(manifest.database.tables)
  const record = { file, bytes, rows, media: manifest.media.length, isEncrypted: passphrase !== null }
  await print(io, options, {
    json: { ...record, manifest },
    csv: () => recordSheet(record),
    text: () => `${file}\n`,
  })
  await note(
    io,
    options,
    `${sizeLabel(bytes)}, ${plural(rows, 'row')}, ${plural(manifest.media.length, 'file')} of media.`,
  )
}

export async function list(io: Io, options: BackupOptions): Promise<void> {
  assertLocal(io, options)
  const { backups } = await (await loadMachine()).findBackups(io, options.to)
  await print(io, options, tableOutput(backupsTable, backups))
}

export async function verify(io: Io, options: BackupOptions, file: string): Promise<void> {
  assertLocal(io, options)
  const passphrase = await passphraseOf(io, options, false)
  const opened = await (await loadMachine()).checkBackup(io, file, passphrase)
  await print(io, options, checkOutput(opened))
  if (opened.problems.length > 0) throw new CliError(exitCodes.failed)
}

function checkOutput({ manifest, problems, rows }: OpenedBackup) {
  const isWhole = problems.length === 0
  const record = { isWhole, rows, tables: Object.keys(manifest.database.tables).length, media: manifest.media.length }
  const details = [
    {
      label: 'Backup',
      value: isWhole ? 'whole' : 'damaged',
      tone: isWhole ? ('success' as const) : ('error' as const),
    },
    { label: 'Made', value: timeLabel(manifest.createdAt) },
    {
      label: 'Database',
      value: `${plural(rows, 'row')} in ${record.tables} tables, ${sizeLabel(manifest.database.bytes)}`,
    },
    { label: 'Media', value: plural(manifest.media.length, 'file') },
    ...problems.map((problem) => ({ label: 'Problem', value: problem, tone: 'error' as const })),
  ]
  const json = { ...record, createdAt: manifest.createdAt, problems }
  return sectionsOutput({ json, csv: () => recordSheet({ ...record, problems: problems.join(' ') }) }, [
    { title: 'Backup', details },
  ])
}
