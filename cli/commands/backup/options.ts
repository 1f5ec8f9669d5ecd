import { type SharedOptions, serverOrigin } from '#cli/client.ts'
import { usageError } from '#cli/exit-codes.ts'
import type { Io } from '#cli/io.ts'
import { promptLine } from '#cli/prompt.ts'

export type BackupOptions = SharedOptions & {
  to?: string
  encrypt?: true
  passphraseFile?: string
  mediaApart?: true
  keep?: string
  dryRun?: true
  yes?: true
}

/** SQLite's parts and the API are loaded once a command runs. */
export const loadMachine = () => import('#cli/machine/backup.ts')

export function assertLocal(io: Io, options: SharedOptions): void {
  if (serverOrigin(io, options) !== null) {
    throw usageError('backup works on the data folder on this machine and does not support --api.')
  }
}

export async function passphraseOf(
  io: Io,
  { encrypt, passphraseFile }: BackupOptions,
  isNew: boolean,
): Promise<string | null> {
  if (passphraseFile !== undefined) return (await loadMachine()).readPassphraseFile(io, passphraseFile)
  if (!encrypt) return null
  if (!io.isTTY.stdin) throw usageError('Nobody is here to type the passphrase. Use --passphrase-file.')
  const passphrase = await promptLine(io, 'Passphrase: ', { isSecret: true })
  if (passphrase.length < 8) throw usageError('A passphrase has at least 8 characters.')
  if (isNew && passphrase !== (await promptLine(io, 'The same again: ', { isSecret: true }))) {
    throw usageError('The two are not the same. Nothing was made.')
  }
  return passphrase
}

export const sizeLabel = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`
export const rowsIn = (tables: Record<string, number>) => Object.values(tables).reduce((sum, count) => sum + count, 0)
