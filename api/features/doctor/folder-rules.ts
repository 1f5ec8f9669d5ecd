import { accessSync, constants, statfsSync, statSync } from 'node:fs'
import { type Check, failed, ok, runCheck, warning } from './check-rules.ts'

const megabyte = 1024 * 1024

export function checkFolder(dataDir: string, file: string): Check[] {
  return [
    runCheck('folder', () => checkPermissions(dataDir)),
    runCheck('disk', () => checkFreeSpace(dataDir, statSync(file, { throwIfNoEntry: false })?.size ?? 0)),
  ]
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
