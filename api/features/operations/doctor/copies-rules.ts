import { statSync } from 'node:fs'
import * as v from 'valibot'
import { newestCopies, newestGeneration } from '#api/copies/copy-store.ts'
import { isNewer, readGeneration } from '#api/db/generation.ts'
import type { HasDb } from '#api/db/query.ts'
import { readSetting } from '#api/db/stored-settings.ts'
import { errorMessage } from '#api/log.ts'
import { openObjectStore } from '#api/object-store/store.ts'
import type { CopySettings } from '#api/settings.ts'
import { dayMs } from '#shared/rules/durations.ts'
import { formatMoment } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'
import { type Check, failed, ok, runAsyncCheck, runCheck, runs, warning } from './check-rules.ts'

/** Where `alliance restore try` notes that it was done. */
export const restoreTriedKey = 'restore_tried'

/** The server writes every minute, if only its heartbeat, so a copy is never much older. */
const oldMs = 5 * 60_000
const untriedDays = 90
const largeLogBytes = 64 * 1024 * 1024

type Copied = { db: HasDb['db']; copies: CopySettings; file: string; now: Date }

export async function checkCopies(copied: Copied): Promise<Check[]> {
  if (!copied.copies.isOn) return []
  return [
    await runAsyncCheck('continuous copies', () => checkNewest(copied)),
    runCheck('log', () => checkLog(copied)),
    runCheck('restore tried', () => checkTried(copied)),
  ]
}

async function checkNewest({ db, copies, now }: Copied): Promise<Check> {
  const name = 'continuous copies'
  if (copies.store === null) return warning(name, 'We can’t see them: put LITESTREAM_URL into .env.')
  const store = openObjectStore(copies.store)
  try {
    const [newest, own] = [await newestGeneration(store), readGeneration({ db })]
    if (newest !== null && own !== null && isNewer(newest, own)) {
      const message = `This copy has been replaced: ${newest.machine} took over on ${formatMoment(newest.at)}.`
      return failed(name, `${message} Switch this one off, or take over again: alliance takeover`)
    }
    const at = (await newestCopies(store)).get(copies.machine)
    if (at === undefined) return failed(name, `There’s none of ${copies.machine} yet. Is Litestream running?`)
    const isOld = now.getTime() - Date.parse(at) > oldMs
    const sentence = `The last one is from ${formatMoment(at)}.`
    return isOld
      ? warning(name, `${sentence} Is Litestream running?`)
      : ok(name, `${sentence} The store encrypts these copies.`)
  } catch (error) {
    return warning(name, `We can’t look at them, so we can’t tell if another machine took over. ${errorMessage(error)}`)
  }
}

/** Only Litestream writes it back, so without it the log grows until the disk is full. */
function checkLog({ file }: Copied): Check {
  const bytes = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0
  const size = `${Math.round(bytes / 1024 / 1024)} MB`
  return bytes > largeLogBytes
    ? warning('log', `The database’s log has grown to ${size}. Is Litestream running?`)
    : ok('log', `The database’s log has ${size}.`)
}

const Tried = v.object({ at: v.string() })

function checkTried({ db, now }: Copied): Check {
  const name = 'restore tried'
  const tried = v.safeParse(Tried, readSetting({ db }, restoreTriedKey)?.value)
  if (!tried.success) return warning(name, 'You’ve never tried to restore a copy.', runs('restore try'))
  const days = Math.floor((now.getTime() - Date.parse(tried.output.at)) / dayMs)
  const sentence = `Last tried ${days === 0 ? 'today' : `${plural(days, 'day')} ago`}.`
  return days > untriedDays ? warning(name, sentence, runs('restore try')) : ok(name, sentence)
}
