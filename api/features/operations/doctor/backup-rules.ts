import { existsSync, readdirSync } from 'node:fs'
import type { HasDb } from '#api/db/query.ts'
import { failedBackup, lastBackup, missingSince, readSchedule } from '#api/features/operations/backup/jobs.ts'
import { lastRehearsal } from '#api/features/operations/backup/rehearsal-jobs.ts'
import type { HasSettings } from '#api/site/settings.ts'
import type { BackupSchedule } from '#shared/contract/backup.ts'
import { formatLongDate, formatMoment, londonDay } from '#shared/rules/london.ts'
import { type Check, failed, firstFew, ok, runCheck, runs, runsPlanned, shows, unset, warning } from './check-rules.ts'

/** You'd only miss a backup on the day the disk fails, which is too late. So it's more than a warning. */
export function checkNightlyBackup(ctx: HasSettings, now: Date): Check[] {
  return [
    runCheck('nightly backup', () => findMissedBackup(ctx, now)),
    runCheck('backup files', () => checkFiles(ctx.db, now)),
    runCheck('rehearsal', () => checkRehearsal(ctx)),
  ]
}

function checkRehearsal(ctx: HasDb): Check {
  const name = 'rehearsal'
  const last = lastRehearsal(ctx)
  if (last === null) return unset(name, 'No restore has been rehearsed yet.')
  const day = formatLongDate(last.at)
  if (last.failed === null) return ok(name, `On ${day} we restored ${last.tried.join(' and ')}. ${describeWhole(last)}`)
  return failed(name, `On ${day} a restore failed. ${last.failed}`, runs('jobs run rehearsal'))
}

function describeWhole({ tried, newest }: { tried: readonly string[]; newest: readonly string[] }): string {
  const [whole, ofWhich] =
    tried.length === 1 ? ['It was whole.', 'Its newest change is'] : ['Both were whole.', 'Their newest changes are']
  return newest.length === 0 || newest.includes('')
    ? whole
    : `${whole} ${ofWhich} from ${newest.map(formatMoment).join(' and ')}.`
}

/** A site with real money, or with a place for backups, needs one every night. */
function checkUnscheduled({ isLive, backupStore }: HasSettings['settings']): Check {
  const name = 'backup schedule'
  if (!isLive && backupStore === null) return unset(name, 'No nightly backup is scheduled.')
  return warning(name, 'No nightly backup is scheduled.', runsPlanned('backup schedule 03:15'))
}

function findMissedBackup({ db, settings }: HasSettings, now: Date): Check {
  const name = 'nightly backup'
  const schedule = readSchedule({ db })
  if (schedule === null) return checkUnscheduled(settings)
  const failure = failedBackup({ db })
  if (failure !== null) {
    return failed(name, `The nightly backup of ${failure.day} failed: ${failure.reason}`, runs('jobs run backup'))
  }
  const missing = missingSince({ db }, schedule, now)
  if (missing !== null) return failed(name, missingSentence(schedule, missing), shows('backup list'))
  const last = lastBackup({ db })
  return last === null ? unset(name, 'The first one is still to come.') : ok(name, `Last made on ${last.day}.`)
}

const missingSentence = ({ at }: BackupSchedule, since: string) =>
  `No backup since ${formatMoment(since)}. One is due every day at ${at}. Is the server running?`

/** No run fixes these, because the backup for that day counts as made. */
function checkFiles(db: HasDb['db'], now: Date): Check {
  const name = 'backup files'
  const schedule = readSchedule({ db })
  if (schedule === null) return unset(name, 'No nightly backup is scheduled.')
  const last = lastBackup({ db })
  const [names, today] = [dayNames(schedule.folder), londonDay(now)]
  // A restored database knows neither the backup it came from nor any later one.
  const newest = names.filter((file) => file.includes('-nightly') && dayOf(file) <= today).at(-1)
  const isLater = newest !== undefined && dayOf(newest) > (last?.day ?? '')
  if (last !== null && !existsSync(last.file) && !isLater) {
    const message = `The last one (${last.day}) is missing: ${last.file}. The next is due at ${schedule.at}.`
    return failed(name, message, shows('backup list'))
  }
  const ahead = names.filter((file) => dayOf(file) > today)
  if (ahead.length > 0) {
    const sentence = 'The clock was ahead. They’re kept until you delete them.'
    const message = `Dated in the future in ${schedule.folder}: ${firstFew(ahead)}. ${sentence}`
    return warning(name, message, shows('backup list'))
  }
  if (isLater) return ok(name, `The newest in ${schedule.folder} is ${newest}.`)
  return last === null ? unset(name, 'None yet.') : ok(name, 'The last one is there.')
}

const dayOf = (name: string) => /^alliance-(\d{4}-\d\d-\d\d)/.exec(name)?.[1] ?? ''

/** Backups named by their day, the oldest first. Judged by name only: opening each would take too long for a page view. */
const dayNames = (folder: string) =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => dayOf(file) !== '')
        .sort()
    : []
