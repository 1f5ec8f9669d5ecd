import { accessSync, constants, existsSync, readdirSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Check, failed, firstFew, ok, runCheck, warning } from './check-rules.ts'

const megabyte = 1024 * 1024

export function checkFolder(dataDir: string, file: string): Check[] {
  return [
    runCheck('folder', () => checkPermissions(dataDir)),
    runCheck('disk', () => checkFreeSpace(dataDir, statSync(file, { throwIfNoEntry: false })?.size ?? 0)),
    ...checkKeptCopies(dataDir),
  ]
}

/** After a restart with another file in the database's place, only this says that there's more. A copy that was taken stays too. */
function checkKeptCopies(dataDir: string): Check[] {
  const backups = join(dataDir, 'backups')
  const kept = existsSync(backups) ? readdirSync(backups).filter((name) => name.startsWith('alliance-kept-')) : []
  if (kept.length === 0) return []
  const message = `The database’s file or its log went missing once. What the server had saved by then is in ${firstFew(kept.map((name) => join(backups, name)))}. Put the copy in place if you need it, then delete it.`
  return [warning('kept copy', message)]
}

function checkPermissions(dataDir: string): Check {
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    return failed('folder', `This user can’t read and write ${dataDir}.`)
  }
  const isOpenToOthers = (statSync(dataDir).mode & 0o077) !== 0
  return isOpenToOthers
    ? warning('folder', `Other users can access ${dataDir}. To fix it: chmod 700 ${dataDir}`)
    : ok('folder', `Only this user can access ${dataDir}.`)
}

function checkFreeSpace(dataDir: string, databaseBytes: number): Check {
  const { bavail, bsize } = statfsSync(dataDir)
  const free = bavail * bsize
  const message = `${Math.floor(free / megabyte).toLocaleString('en-GB')} MB free.`
  if (free < 100 * megabyte) return failed('disk', `${message} It will soon be full.`)
  const required = Math.max(1024 * megabyte, 3 * databaseBytes)
  return free < required ? warning('disk', `${message} That’s too little for backups.`) : ok('disk', message)
}
