import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseFile } from '#api/db/data-dir.ts'
import { type SharedOptions, serverOrigin } from '#cli/client.ts'
import type { Client } from '#cli/connection.ts'
import { usageError } from '#cli/exit-codes.ts'
import type { Io } from '#cli/io.ts'
import { openLocal, readFolderSettings } from '#cli/transport-local.ts'

/** Works on a copy of this machine's data, without its mail server, and deletes the copy. */
export async function rehearse<Result>(
  { io, options }: { io: Io; options: SharedOptions },
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  if (serverOrigin(io, options) !== null)
    throw usageError('A rehearsal works on this machine’s data and doesn’t support --api.')
  return onCopy(io, async (copied) => {
    const { client, close } = await openLocal(copied)
    try {
      return await work(client)
    } finally {
      close()
    }
  })
}

/** With a data folder that's a copy of the database, or empty where there's none yet. */
export async function onCopy<Result>(io: Io, work: (copied: Io) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'alliance-rehearsal-'))
  try {
    const { copyDatabase } = await import('#api/db/copy.ts')
    const database = databaseFile(readFolderSettings(io).dataDir)
    if (existsSync(database)) await copyDatabase(database, databaseFile(folder))
    const env = { ...io.env, DATA_DIR: folder, SMTP_URL: '', SMTP_URL_FILE: '' }
    return await work(Object.create(io, { env: { value: env } }))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
