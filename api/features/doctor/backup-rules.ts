import type { HasDb } from '#api/db/query.ts'
import { failedBackup, lastBackup, readSchedule } from '#api/features/backup/jobs.ts'
import { type Check, failed, ok, runCheck } from './check-rules.ts'

/** A backup that does not come is missed on the day that the disk fails, which is too late: it is more than a warning. */
export const checkNightlyBackup = (db: HasDb['db']): Check =>
  runCheck('nightly backup', () => {
    const name = 'nightly backup'
    if (readSchedule({ db }) === null) return ok(name, 'None is scheduled.')
    const failure = failedBackup({ db })
    if (failure !== null) return failed(name, `The nightly backup of ${failure.day} failed: ${failure.reason}`)
    const last = lastBackup({ db })
    return ok(name, last === null ? 'The first is still to come.' : `The last is of ${last.day}.`)
  })
