import { basename, resolve } from 'node:path'
import { usageError } from '#cli/exit-codes.ts'
import type { Io } from '#cli/io.ts'
import { timeLabel } from '#cli/labels.ts'
import { csvSheet, note, print, recordSheet, sectionsOutput, tableOutput } from '#cli/output.ts'
import { confirm } from '#cli/prompt.ts'
import { parseOption } from '#cli/request.ts'
import { BackupSchedule } from '#shared/contract/backup.ts'
import { keepRuleText, parseKeepRule } from '#shared/rules/keep-backups.ts'
import { plural } from '#shared/rules/plural.ts'
import { backupsTable } from './backups-table.ts'
import { assertLocal, type BackupOptions, loadMachine, passphraseOf } from './options.ts'

export async function prune(io: Io, options: BackupOptions): Promise<void> {
  assertLocal(io, options)
  const { pruneLocal } = await loadMachine()
  const rule = ruleOf(options)
  const passphrase = await passphraseOf(io, options, false)
  const plan = await pruneLocal(io, { to: options.to, rule, passphrase, isDryRun: true })
  if (!options.dryRun && plan.deleted.length > 0) {
    await confirm(
      io,
      `Delete ${plural(plan.deleted.length, 'backup')} and keep ${plan.kept.length}?`,
      options.yes === true,
    )
  }
  const isDryRun = options.dryRun === true
  const { deleted, deletedMedia } = isDryRun
    ? plan
    : await pruneLocal(io, { to: options.to, rule, passphrase, isDryRun })
  const json = { deleted: deleted.map(({ file }) => file), deletedMedia, dryRun: isDryRun }
  const table = { ...backupsTable, empty: 'Nothing to delete.' }
  await print(io, options, { ...tableOutput(table, deleted), json, csv: () => csvSheet(backupsTable.csv, deleted) })
  if (isDryRun) await note(io, options, 'Dry run: nothing was deleted.')
}

function ruleOf({ keep }: BackupOptions) {
  const rule = keep === undefined ? null : parseKeepRule(keep)
  if (keep !== undefined && rule === null) throw usageError('--keep takes days, weeks and months, such as 7d,5w,12m.')
  return rule
}

export async function restore(io: Io, options: BackupOptions, file: string): Promise<void> {
  assertLocal(io, options)
  const machine = await loadMachine()
  const passphrase = await passphraseOf(io, options, false)
  if (machine.hasDatabase(io)) {
    await confirm(io, `Put ${basename(file)} in the place of the database of this machine?`, options.yes === true)
  }
  const { before, settings, addedMedia, rows, manifest, dataDir } = await machine.restoreLocal(io, file, passphrase)
  const record = { rows, addedMedia, before, settings, createdAt: manifest.createdAt }
  const details = [
    { label: 'Restored', value: `${plural(rows, 'row')} of ${timeLabel(manifest.createdAt)}, into ${dataDir}` },
    { label: 'Media added', value: plural(addedMedia, 'file') },
    ...(before === null ? [] : [{ label: 'What was there before', value: before }]),
    ...(settings === null ? [] : [{ label: 'Its .env, to compare', value: settings }]),
  ]
  await print(
    io,
    options,
    sectionsOutput({ json: record, csv: () => recordSheet(record) }, [{ title: 'Restored', details }]),
  )
  await note(io, options, 'Start the server, then run: alliance doctor')
}

export async function schedule(io: Io, options: BackupOptions, time: string | undefined): Promise<void> {
  assertLocal(io, options)
  const { setSchedule, showSchedule } = await loadMachine()
  const keep = ruleOf(options)
  const at = time === 'off' ? undefined : parseOption(BackupSchedule.entries.at, time)
  const { to, passphraseFile } = options
  const change = {
    ...(at === undefined ? {} : { at }),
    ...(keep === null ? {} : { keep }),
    ...(to === undefined ? {} : { folder: resolve(io.cwd, to) }),
    ...(passphraseFile === undefined ? {} : { passphraseFile: resolve(io.cwd, passphraseFile) }),
  }
  const isChange = Object.keys(change).length > 0
  const current =
    time === 'off' ? await setSchedule(io, null) : isChange ? await setSchedule(io, change) : await showSchedule(io)
  const details =
    current === null
      ? [{ label: 'Nightly backup', value: 'off' }]
      : [
          { label: 'Nightly backup', value: `${current.at} in London, by the server` },
          { label: 'Folder', value: current.folder },
          { label: 'Keep', value: keepRuleText(current.keep) },
          { label: 'Encrypted', value: current.passphraseFile === null ? 'no' : `with ${current.passphraseFile}` },
        ]
  const record = {
    at: current?.at ?? null,
    folder: current?.folder ?? null,
    keep: current && keepRuleText(current.keep),
  }
  await print(
    io,
    options,
    sectionsOutput({ json: current, csv: () => recordSheet(record) }, [{ title: 'Nightly backup', details }]),
  )
}
