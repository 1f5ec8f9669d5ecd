import { chmodSync, closeSync, mkdirSync, openSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '#api/settings.ts'

/**
 * Makes the data folder where there is none, and closes it and the files in it to the machine's other users: they hold
 * people's details, and the mailbox people's links.
 */
export function prepareDataDir(dataDir: string): void {
  makeFolder(dataDir)
  setMode(dataDir, 0o700)
  for (const entry of readdirSync(dataDir, { withFileTypes: true })) {
    if (entry.isFile()) setMode(join(dataDir, entry.name), 0o600)
    if (entry.isDirectory()) setMode(join(dataDir, entry.name), 0o700)
  }
}

function makeFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EEXIST' || code === 'ENOTDIR') throw new StartupError(`DATA_DIR (${dataDir}) is no folder.`)
    throw new StartupError(`DATA_DIR (${dataDir}) cannot be made: ${String(code ?? error)}.`)
  }
}

/** Made before SQLite opens it: the log and the index beside it get the same mode. */
export function makePrivateFile(file: string): void {
  closeSync(openSync(file, 'a', 0o600))
}

/** Another user's file stays as it is; `doctor` tells. */
function setMode(path: string, mode: number): void {
  try {
    chmodSync(path, mode)
  } catch {}
}
