import { resolve } from 'node:path'
import type { Pruned } from '#api/features/operations/backup/prune-service.ts'
import { usageError } from '#cli/exit-codes.ts'
import { machineChangeRow } from '#cli/machine-rows.ts'
import { csvOfRows, type Output, recordOutput, tableOutput } from '#cli/output.ts'
import { parseOption } from '#cli/request.ts'
import { type Call, type CommandRow, registersRows } from '#cli/rows.ts'
import { BackupSchedule } from '#shared/contract/backup.ts'
import { keepRuleText, parseKeepRule } from '#shared/rules/keep-backups.ts'
import { plural } from '#shared/rules/plural.ts'
import { backupsTable } from './backups-table.ts'
import { makingRows } from './make.ts'
import { folderOption, keepOption, loadMachine, passphraseOf, passphraseOption } from './options.ts'
import { restore } from './restore.ts'

async function pruneBy(call: Call, { isDryRun }: { isDryRun: boolean }) {
  const { pruneLocal } = await loadMachine()
  const passphrase = await passphraseOf(call)
  return pruneLocal(call.io, { to: call.option('to'), rule: ruleOf(call), passphrase, isDryRun })
}

function ruleOf({ option }: Call) {
  const keep = option('keep')
  const rule = keep === undefined ? null : parseKeepRule(keep)
  if (keep !== undefined && rule === null) throw usageError('--keep takes days, weeks and months, such as 7d,5w,12m.')
  return rule
}

const prune = machineChangeRow({
  usage: 'prune',
  description: 'Delete old backups',
  options: [passphraseOption, folderOption, keepOption],
  examples: ['prune --keep 7d,5w,12m --dry-run', 'prune --keep 7d,5w,12m --yes'],
  asks: true,
  async plan(call) {
    const pruned = await pruneBy(call, { isDryRun: true })
    const { deleted, kept, deletedMedia } = pruned
    const question = `Delete ${whatGoes(pruned)} and keep ${plural(kept.length, 'backup')}?`
    return {
      facts: { deleted: deleted.map(({ file }) => file), kept: kept.length, deletedMedia },
      output: prunedOutput(pruned, { isDryRun: true }),
      question: deleted.length + deletedMedia === 0 ? null : question,
    }
  },
  apply: async (call) => prunedOutput(await pruneBy(call, { isDryRun: false }), { isDryRun: false }),
})

const whatGoes = ({ deleted, deletedMedia }: Pruned) =>
  [
    ...(deleted.length === 0 ? [] : [plural(deleted.length, 'backup')]),
    ...(deletedMedia === 0 ? [] : [`${plural(deletedMedia, 'file')} of media no backup needs`]),
  ].join(' and ')

function prunedOutput(pruned: Pruned, { isDryRun }: { isDryRun: boolean }): Output {
  const { deleted, deletedMedia, underway } = pruned
  const some = deleted.length + deletedMedia > 0
  const json = { deleted: deleted.map(({ file }) => file), deletedMedia }
  const table = { ...backupsTable, empty: some ? 'No backup to delete.' : 'Nothing to delete.' }
  const stay = `No media deleted: ${underway} says a backup is running there. Delete that file if none is, such as after a crash.`
  return {
    ...tableOutput(table, deleted),
    json,
    csv: () => csvOfRows(backupsTable.csv, deleted),
    notes: [
      ...(some ? [`${isDryRun ? 'Would delete' : 'Deleted'} ${whatGoes(pruned)}.`] : []),
      ...(underway === null ? [] : [stay]),
    ],
  }
}

/** The changes from the command line; null turns the schedule off, and an empty one only shows it. */
function scheduleChange(call: Call): Partial<BackupSchedule> | null {
  const { io, argument, option } = call
  const time = argument(0) === '' ? undefined : argument(0)
  if (time === 'off') return null
  const at = parseOption(BackupSchedule.entries.at, time)
  const [keep, to, passphraseFile] = [ruleOf(call), option('to'), option('passphraseFile')]
  return {
    ...(at === undefined ? {} : { at }),
    ...(keep === null ? {} : { keep }),
    ...(to === undefined ? {} : { folder: resolve(io.cwd, to) }),
    ...(passphraseFile === undefined ? {} : { passphraseFile: resolve(io.cwd, passphraseFile) }),
  }
}

const schedule = machineChangeRow({
  usage: 'schedule [time]',
  description: 'Show or set the nightly backup’s time, UK time ("off" stops it)',
  options: [passphraseOption, folderOption, keepOption],
  examples: ['schedule 03:15 --keep 7d,5w,12m', 'schedule --keep 7d,5w,12m --dry-run', 'schedule off'],
  /** The server deletes what the rule no longer keeps, but only the next night. */
  async plan(call) {
    const { showSchedule, scheduleAfter } = await loadMachine()
    const [before, change] = [await showSchedule(call.io), scheduleChange(call)]
    const after = isLook(change) ? before : await scheduleAfter(call.io, change)
    return { facts: { before, after, change }, output: await scheduleOutput(call, after), question: null }
  },
  async apply(call, { before, change }) {
    const { setSchedule } = await loadMachine()
    return scheduleOutput(call, isLook(change) ? before : await setSchedule(call.io, change))
  },
})

const isLook = (change: Partial<BackupSchedule> | null) => change !== null && Object.keys(change).length === 0

async function scheduleOutput({ io }: Call, current: BackupSchedule | null): Promise<Output> {
  const hasKey = (await loadMachine()).backupKey(io) !== null
  const details =
    current === null
      ? [{ label: 'Nightly backup', value: 'off' }]
      : [
          { label: 'Nightly backup', value: `${current.at} in London, by the server` },
          { label: 'Folder', value: current.folder },
          { label: 'Keep', value: keepRuleText(current.keep) },
          { label: 'Encrypted', value: encryptionOf(current, hasKey) },
        ]
  const record = {
    at: current?.at ?? null,
    folder: current?.folder ?? null,
    keep: current && keepRuleText(current.keep),
  }
  return recordOutput('Nightly backup', details, record, current)
}

function encryptionOf({ passphraseFile }: BackupSchedule, hasKey: boolean): string {
  if (passphraseFile !== null) return `with ${passphraseFile}`
  return hasKey ? 'with BACKUP_KEY' : 'no'
}

export const keepingRows: readonly CommandRow[] = [prune, restore, schedule]

export const backupRows: readonly CommandRow[] = [...makingRows, ...keepingRows]

export const registerBackup = registersRows(backupRows)
