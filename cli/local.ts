import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { resolve } from 'node:path'
import { treaty } from '@elysiajs/eden'
import { createApp } from '#api/app.ts'
import { openContext } from '#api/context.ts'
import { databaseFile } from '#api/db/open.ts'
import { createLog } from '#api/log.ts'
import { refuseOtherMode } from '#api/provider-account.ts'
import { readSettings } from '#api/settings.ts'
import { type Connection, reading } from './client.ts'
import { exitCodes, Stop } from './exit.ts'
import type { Io } from './io.ts'

/**
 * The API in this process, on the data folder's database: works while the server is down, and beside it. Acts with an
 * owner's rights as the person logged in to this machine.
 */
export function openLocal(io: Io): Connection {
  const settings = readSettings(io.env)
  const dataDir = resolve(io.cwd, settings.dataDir)
  const file = databaseFile(dataDir)
  if (!existsSync(file)) {
    throw new Stop(
      exitCodes.failed,
      `There is no database at ${file}. Start the server once, or set DATA_DIR, or name a server with --api.`,
    )
  }
  const localActor = `local:${userName()}`
  const ctx = openContext({ ...settings, dataDir }, { localActor, now: io.now, log: logOf(io) })
  refuseOtherMode(ctx)
  return { client: treaty(createApp(ctx), reading), close: () => ctx.sqlite.close() }
}

/** From the operating system: the environment can say anything. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

/** The person reads one sentence; the rest only where he asks for it. */
function logOf(io: Io) {
  const isWanted = Boolean(io.env.ALLIANCE_DEBUG)
  return createLog((line) => void (isWanted && io.stderr.write(line)), io.now)
}
