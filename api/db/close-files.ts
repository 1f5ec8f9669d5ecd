import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setMode } from './data-dir.ts'

/**
 * Closes what lies deeper in the folder, such as media that were copied there by hand. These may be many thousands of files, so
 * that a start does not wait for it; their folder is closed already. What is closed is not touched, or backups made by
 * others would read it again, and what a link leads to is left alone. Never throws.
 */
export async function closeFilesBelow(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name)
    if (!entry.isDirectory() && !entry.isFile()) continue
    const mode = await stat(path).then(
      (found) => found.mode,
      () => 0,
    )
    if ((mode & 0o077) !== 0) setMode(path, entry.isFile() ? 0o600 : 0o700)
    if (entry.isDirectory()) await closeFilesBelow(path)
  }
}
