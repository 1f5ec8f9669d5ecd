import { accessSync, constants, statfsSync, statSync } from 'node:fs'
import { type Check, checked, failed, ok, warning } from './check.ts'

const megabyte = 1024 * 1024

/** The folder and the disk under it. */
export function checkFolder(dataDir: string, file: string): Check[] {
  return [
    checked('folder', () => permissions(dataDir)),
    checked('disk', () => freeDisk(dataDir, statSync(file, { throwIfNoEntry: false })?.size ?? 0)),
  ]
}

function permissions(dataDir: string): Check {
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    return failed('folder', `${dataDir} cannot be read and written by this user.`)
  }
  const isOpenToOthers = (statSync(dataDir).mode & 0o077) !== 0
  return isOpenToOthers
    ? warning('folder', `Others on this machine can look into ${dataDir}. Put it right: chmod 700 ${dataDir}`)
    : ok('folder', `${dataDir} is this user's alone.`)
}

/** Room for a backup and the migration after it: three times the database, and never less than 1 GB. */
function freeDisk(dataDir: string, databaseBytes: number): Check {
  const { bavail, bsize } = statfsSync(dataDir)
  const free = bavail * bsize
  const says = `${Math.floor(free / megabyte).toLocaleString('en-GB')} MB free.`
  if (free < 100 * megabyte) return failed('disk', `${says} Writing will soon fail.`)
  const wanted = Math.max(1024 * megabyte, 3 * databaseBytes)
  return free < wanted ? warning('disk', `${says} That is too little for backups.`) : ok('disk', says)
}
