import { existsSync, readdirSync, unlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { backupsToDelete, type KeepRule } from '#shared/rules/keep-backups.ts'
import { findUnderway } from './leftovers-service.ts'
import { type ListedBackup, listBackups, readManifest } from './read-service.ts'

export type Pruned = {
  deleted: ListedBackup[]
  kept: ListedBackup[]
  deletedMedia: number
  /** A backup being written there, for which all media stay; null if there's none. */
  underway: string | null
}

type Pruning = {
  rule: KeepRule
  now: Date
  isDryRun: boolean
  passphrase: string | null
  /** The names the rule covers. Others stay. */
  only?: readonly string[]
  /** The name of one to keep, whatever the rule and the clock say. */
  justMade?: string | undefined
}

/** Deletes backups outside the rule, and unneeded media. Call it while holding the lease. Looks twice for other machines' runs. */
export async function pruneBackups(folder: string, pruning: Pruning): Promise<Pruned> {
  const { rule, now, isDryRun, passphrase, only, justMade } = pruning
  const before = existsSync(folder) ? findUnderway(folder) : null
  const all = await listBackups(folder, now)
  const ruled = all.filter(({ file }) => only === undefined || only.includes(basename(file)))
  const deleted = backupsToDelete(ruled, rule, now).filter(({ file }) => basename(file) !== justMade)
  const kept = all.filter((one) => !deleted.includes(one))
  if (!isDryRun) for (const { file } of deleted) unlinkSync(file)
  const unneeded = await unneededMedia(join(folder, 'media'), kept, passphrase)
  const underway = unneeded.length === 0 ? null : (before ?? findUnderway(folder))
  if (underway !== null) return { deleted, kept, deletedMedia: 0, underway }
  if (!isDryRun) for (const path of unneeded) unlinkSync(path)
  return { deleted, kept, deletedMedia: unneeded.length, underway }
}

async function unneededMedia(apart: string, kept: ListedBackup[], passphrase: string | null): Promise<string[]> {
  if (!existsSync(apart)) return []
  const needed = new Set<string>()
  // One at a time: deriving the key of an encrypted backup takes 32 MB.
  for (const { file, manifest } of kept) {
    const read = manifest ?? (await readManifest(file, passphrase).catch(() => null))
    if (read === null) return []
    for (const { sha256 } of read.media) needed.add(sha256)
  }
  return readdirSync(apart)
    .filter((name) => /^[0-9a-f]{64}$/.test(name) && !needed.has(name))
    .map((name) => join(apart, name))
}
