import { statSync } from 'node:fs'
import { copyObjects, lookAtCopies, newestGeneration, oldCopyMs } from '#api/copies/copy-store.ts'
import { describeChange, findLitestream, isSafe, safeVersion } from '#api/copies/litestream.ts'
import { isNewer, readGeneration } from '#api/db/generation.ts'
import type { HasDb } from '#api/db/query.ts'
import { errorMessage } from '#api/log.ts'
import { openObjectStore } from '#api/object-store/store.ts'
import type { CopySettings } from '#api/settings.ts'
import { formatMoment } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'
import { type Check, failed, ok, runAsyncCheck, runCheck, warning } from './check-rules.ts'

const largeLogBytes = 64 * 1024 * 1024

type Copied = HasDb & { copies: CopySettings; file: string; now: Date }

export async function checkCopies(copied: Copied): Promise<Check[]> {
  if (!copied.copies.isOn) return []
  return [
    await runAsyncCheck('Litestream', () => checkLitestream(copied)),
    await runAsyncCheck('continuous copies', () => checkNewest(copied)),
    runCheck('log', () => checkLog(copied)),
  ]
}

async function checkLitestream({ copies }: Copied): Promise<Check> {
  const name = 'Litestream'
  try {
    const litestream = await findLitestream(copies)
    const { version } = litestream
    if (!isSafe(litestream)) {
      const message = `Litestream ${version} can damage the database when it writes the log back (SQLite’s WAL-reset fault).`
      return warning(name, `${message} Install ${safeVersion} or later. See docs/backup.md.`)
    }
    const objects = copies.store === null ? [] : await copyObjects(openObjectStore(copies.store), copies.machine)
    const change = describeChange(litestream, copies.machine, objects)
    return ok(name, change ?? `Litestream ${version}.`)
  } catch (error) {
    return warning(name, errorMessage(error))
  }
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
    const looked = await lookAtCopies(store, copies.machine)
    if (looked === null) return failed(name, `There’s none of ${copies.machine} yet. Is Litestream running?`)
    const age = now.getTime() - looked.at.getTime()
    const seconds = Math.max(0, Math.round(age / 1000))
    const sentence = `The last one is from ${formatMoment(looked.at.toISOString())}, ${plural(seconds, 'second')} ago.`
    return age > oldCopyMs
      ? warning(name, `${sentence} Is Litestream running?`)
      : ok(name, `${sentence} Litestream doesn’t encrypt these copies. Check that your store does.`)
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
    : ok('log', `The database’s log is ${size}.`)
}
