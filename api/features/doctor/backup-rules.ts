import { existsSync, readdirSync } from 'node:fs'
import type { HasDb } from '#api/db/query.ts'
import { failedBackup, lastBackup, missingSince, readSchedule } from '#api/features/backup/jobs.ts'
import type { BackupSchedule } from '#shared/contract/backup.ts'
import { formatLongDate, londonClock, londonDay } from '#shared/rules/london.ts'
import { type Check, failed, firstFew, ok, runCheck, warning } from './check-rules.ts'

const name = 'nightly backup'

/** A backup that does not come is missed on the day that the disk fails, which is too late: it is more than a warning. */
export const checkNightlyBackup = (db: HasDb['db'], now: Date): Check =>
  runCheck(name, () => {
    const schedule = readSchedule({ db })
    if (schedule === null) return ok(name, 'None is scheduled.')
    const failure = failedBackup({ db })
    if (failure !== null) return failed(name, `The nightly backup of ${failure.day} failed: ${failure.reason}`)
    const missing = missingSince({ db }, schedule, now)
    if (missing !== null) return failed(name, missingSentence(schedule, missing))
    return checkFiles(schedule, lastBackup({ db }), now)
  })

const missingSentence = ({ at }: BackupSchedule, since: string) =>
  `None has come since ${formatLongDate(since)}, ${londonClock(since)}, though one is due each day at ${at}. The server makes it: does it run?`

function checkFiles({ at, folder }: BackupSchedule, last: ReturnType<typeof lastBackup>, now: Date): Check {
  if (last !== null && !existsSync(last.file))
    return failed(name, `The last, of ${last.day}, is not there: ${last.file}. The next comes at ${at}.`)
  const ahead = datedAhead(folder, now)
  if (ahead.length > 0) {
    const sentence = 'The clock was ahead: each is kept, beside those that the rule keeps, until you delete it.'
    return warning(name, `Dated after now in ${folder}: ${firstFew(ahead)}. ${sentence}`)
  }
  return ok(name, last === null ? 'The first is still to come.' : `The last is of ${last.day}.`)
}

/** By their names: to look into each would take too long for a look at the site. */
const datedAhead = (folder: string, now: Date) =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => (/^alliance-(\d{4}-\d\d-\d\d)/.exec(file)?.[1] ?? '') > londonDay(now))
        .sort()
    : []
