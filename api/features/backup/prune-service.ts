import { existsSync, readdirSync, unlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { backupsToDelete, type KeepRule } from '#shared/rules/keep-backups.ts'
import { type BackupFile, listBackups, readManifest } from './read-service.ts'

export type Pruned = { deleted: BackupFile[]; kept: BackupFile[]; deletedMedia: number }

/** `only`: by name, what the rule is about; the others stay. */
type Pruning = { rule: KeepRule; isDryRun: boolean; passphrase: string | null; only?: readonly string[] }

/** Deletes what the rule does not keep, and media that no backup needs any longer, as far as all of them can be read. */
export async function pruneBackups(folder: string, { rule, isDryRun, passphrase, only }: Pruning): Promise<Pruned> {
  const all = await listBackups(folder)
  const deleted = backupsToDelete(
    all.filter(({ file }) => only === undefined || only.includes(basename(file))),
    rule,
  )
  const kept = all.filter((one) => !deleted.includes(one))
  if (!isDryRun) for (const { file } of deleted) unlinkSync(file)
  return { deleted, kept, deletedMedia: await pruneMedia(folder, kept, { isDryRun, passphrase }) }
}

async function pruneMedia(folder: string, kept: BackupFile[], how: { isDryRun: boolean; passphrase: string | null }) {
  const apart = join(folder, 'media')
  if (!existsSync(apart)) return 0
  const manifests = await Promise.all(
    kept.map(({ file, manifest }) => manifest ?? readManifest(file, how.passphrase).catch(() => null)),
  )
  if (manifests.includes(null)) return 0
  const needed = new Set(manifests.flatMap((one) => one?.media.map(({ sha256 }) => sha256) ?? []))
  const unneeded = readdirSync(apart).filter((name) => /^[0-9a-f]{64}$/.test(name) && !needed.has(name))
  if (!how.isDryRun) for (const name of unneeded) unlinkSync(join(apart, name))
  return unneeded.length
}
