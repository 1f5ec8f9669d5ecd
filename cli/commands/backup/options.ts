import { CliError, exitCodes, usageError } from '#cli/exit-codes.ts'
import type { Io } from '#cli/io.ts'
import { promptLine } from '#cli/prompt.ts'
import type { Call, OptionRow } from '#cli/rows.ts'

export const folderOption: OptionRow = [
  '--to <folder>',
  'backup folder (default: the schedule’s, or backups in the data folder)',
]
export const keepOption: OptionRow = ['--keep <rule>', 'how many days, weeks and months to keep (default: 7d,5w,12m)']
export const passphraseOption: OptionRow = ['--passphrase-file <file>', 'file with the passphrase']

/** Loads SQLite's parts and the API only once a command runs. */
export const loadMachine = () => import('#cli/machine/backup.ts')

export async function passphraseOf({ io, options, option }: Call, { isNew = false } = {}): Promise<string | null> {
  const passphraseFile = option('passphraseFile')
  if (passphraseFile !== undefined) return (await loadMachine()).readPassphraseFile(io, passphraseFile)
  if (options.encrypt !== true) return isNew ? null : (await loadMachine()).backupKey(io)
  if (!io.isTTY.stdin) throw usageError('There’s no one here to type the passphrase. Use --passphrase-file.')
  const passphrase = await askPassphrase(io)
  if (passphrase.length < 8) throw usageError('A passphrase needs at least 8 characters.')
  if (isNew && passphrase !== (await promptLine(io, 'Again: ', { isSecret: true }))) {
    throw usageError('They don’t match. No backup was made.')
  }
  return passphrase
}

const askPassphrase = (io: Io) => promptLine(io, 'Passphrase: ', { isSecret: true })

/** Without a passphrase named, we try BACKUP_KEY. The backup may have one of its own, so then we ask. */
export async function openBackup<Result>(
  call: Call,
  open: (passphrase: string | null) => Promise<Result>,
): Promise<Result> {
  const { io, options, option } = call
  const passphrase = await passphraseOf(call)
  try {
    return await open(passphrase)
  } catch (error) {
    const isNamed = option('passphraseFile') !== undefined || options.encrypt === true
    if (isNamed || !(error instanceof Error && (await loadMachine()).isWrongPassphrase(error))) throw error
    if (io.isTTY.stdin) return open(await askPassphrase(io))
    throw new CliError(exitCodes.failed, `${error.message} If it has a passphrase of its own, use --passphrase-file.`)
  }
}

export const sizeLabel = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`
export const rowsIn = (tables: Record<string, number>) => Object.values(tables).reduce((sum, count) => sum + count, 0)
