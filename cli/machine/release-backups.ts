import { existsSync } from 'node:fs'
import { describeBackup } from '#api/features/operations/backup/read-service.ts'
import { CliError, exitCodes } from '#cli/exit-codes.ts'
import type { BackupManifest } from '#shared/contract/backup.ts'
import type { Release } from '#shared/contract/release.ts'
import { plural } from '#shared/rules/plural.ts'
import { backUp, backupBefore } from './switch-release.ts'

type UpdateBackup = { file: string; createdAt: string; manifest: BackupManifest }

/** The backup made before the update away from this release, if it's still where it was. */
export async function findBackupBefore(root: string, to: Release): Promise<UpdateBackup> {
  const file = backupBefore(root, to)
  if (file !== null && existsSync(file)) {
    const { manifest, createdAt } = await describeBackup(file)
    if (manifest !== null) return { file, createdAt, manifest }
  }
  throw new CliError(
    exitCodes.failed,
    `${to.name} can’t use today’s database, and the backup from before the update is gone. Restore another one first: docs/backup.md.`,
  )
}

/** What owners would miss first. */
const counted: Readonly<Record<string, string>> = {
  users: 'account',
  invoices: 'VAT invoice',
  video_progress: 'video ticked',
  membership_applications: 'application',
  contacts: 'message',
}

/** What came after the backup, by the counts of one made now, which is kept. */
export async function lostSince(root: string, { manifest }: UpdateBackup): Promise<string[]> {
  const { manifest: now } = backUp(root)
  const lost = Object.entries(counted).flatMap(([table, one]) => {
    const more = (now.database.tables[table] ?? 0) - (manifest.database.tables[table] ?? 0)
    return more > 0 ? [plural(more, one)] : []
  })
  return [...lost, 'everything else added or changed']
}
