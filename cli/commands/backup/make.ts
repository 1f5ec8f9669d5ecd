import type { OpenedBackup } from '#api/features/operations/backup/read-service.ts'
import { notify } from '#cli/io.ts'
import { timeLabel } from '#cli/labels.ts'
import { machineActRow, machineShowRow } from '#cli/machine-rows.ts'
import { csvOfRecord, recordOutput, tableOutput } from '#cli/output.ts'
import { withProgress } from '#cli/progress.ts'
import type { CommandRow } from '#cli/rows.ts'
import { plural } from '#shared/rules/plural.ts'
import { backupsTable } from './backups-table.ts'
import { folderOption, loadMachine, openBackup, passphraseOf, passphraseOption, rowsIn, sizeLabel } from './options.ts'

const leftOutHelp = 'It’s missing, incomplete or damaged on disk. Upload it again, or restore a backup that has it.'

const create = machineActRow({
  usage: 'create',
  description: 'Copy database, media and settings into one file (the server can keep running)',
  options: [
    passphraseOption,
    folderOption,
    ['--encrypt', 'encrypt it with a passphrase you’ll be asked for'],
    ['--media-apart', 'store media once, in a folder next to the backups'],
  ],
  examples: ['create --to /var/backups/alliance', 'create --encrypt'],
  async act(call) {
    const { io, options } = call
    const passphrase = await passphraseOf(call, { isNew: true })
    const wanted = { to: call.option('to'), passphrase, isMediaApart: options.mediaApart === true }
    const { makeBackup } = await loadMachine()
    const { file, bytes, manifest, leftOut, inStore } = await withProgress(io, options, 'Copying', () =>
      makeBackup(io, wanted),
    )
    // Even with `--quiet`.
    for (const one of leftOut) await notify(io, `Not in the backup: ${one.name} (${one.file}). ${leftOutHelp}`)
    const rows = rowsIn(manifest.database.tables)
    const record = { file, bytes, rows, media: manifest.media.length, isEncrypted: passphrase !== null }
    return {
      json: { ...record, manifest, leftOut },
      csv: () => csvOfRecord(record),
      hasFailed: leftOut.length > 0,
      text: () => `${file}\n`,
      notes: [
        `${sizeLabel(bytes)}, ${plural(rows, 'row')}, ${plural(manifest.media.length, 'file')} of media.`,
        ...(inStore === 0 ? [] : [`${inStore} more ${inStore === 1 ? 'stays' : 'stay'} in the store.`]),
      ],
    }
  },
})

const list = machineShowRow({
  usage: 'list',
  description: 'List a folder’s backups, newest first',
  options: [folderOption, ['--stored', 'list those in the store instead (BACKUP_URL)']],
  examples: ['list --to /var/backups/alliance', 'list --csv file,createdAt', 'list --stored'],
  async read({ io, option, options }) {
    const { findBackups, findStored } = await loadMachine()
    return options.stored === true ? await findStored(io) : (await findBackups(io, option('to'))).backups
  },
  output: (backups) => tableOutput(backupsTable, backups),
})

const fetchRow = machineActRow({
  usage: 'fetch [name]',
  description: 'Fetch a backup from the store, the newest if none is named, or just the films this site lacks',
  options: [folderOption, ['--films', 'put the films this site lacks into the data folder, and fetch no backup']],
  examples: ['fetch', 'fetch alliance-2026-06-12-nightly-0315.sealed --to /var/backups/alliance', 'fetch --films'],
  async act({ io, argument, option, options }) {
    const { fetchStored, fetchStoredVideoFiles } = await loadMachine()
    if (options.films === true) {
      const { fetched, missing } = await withProgress(io, options, 'Fetching', () => fetchStoredVideoFiles(io))
      for (const name of missing) await notify(io, `Not in the store, or damaged there: ${name}. Upload it again.`)
      const record = { fetched, missing: missing.join(', ') }
      return { sentence: `Fetched ${plural(fetched, 'film')}.`, record }
    }
    const wanted = { name: argument(0), to: option('to') }
    const { file, media } = await withProgress(io, options, 'Fetching', () => fetchStored(io, wanted))
    const record = { file, media }
    return {
      json: record,
      csv: () => csvOfRecord(record),
      text: () => `${file}\n`,
      notes: [`With ${plural(media, 'file')} of media. Now: alliance backup restore ${file}`],
    }
  },
})

const verify = machineShowRow({
  usage: 'verify <file>',
  description: 'Restore to a temporary folder, and check the database and every count',
  options: [passphraseOption, ['--encrypt', 'ask for the passphrase']],
  examples: ['verify night.tar', 'verify night.sealed --passphrase-file /etc/alliance/passphrase'],
  async read(call) {
    const { io, options, argument } = call
    const { checkBackup } = await loadMachine()
    return openBackup(call, (passphrase) =>
      withProgress(io, options, 'Checking', () => checkBackup(io, argument(0), passphrase)),
    )
  },
  output: (opened) => ({ ...checkOutput(opened), hasFailed: opened.problems.length > 0 }),
})

export const makingRows: readonly CommandRow[] = [create, list, verify, fetchRow]

function checkOutput({ manifest, problems, rows }: OpenedBackup) {
  const isWhole = problems.length === 0
  const record = { isWhole, rows, tables: Object.keys(manifest.database.tables).length, media: manifest.media.length }
  const details = [
    {
      label: 'Backup',
      value: isWhole ? 'whole' : 'has problems',
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
  return recordOutput('Backup', details, { ...record, problems: problems.join(' ') }, json)
}
