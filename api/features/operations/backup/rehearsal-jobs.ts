import { statfsSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { newestCopies, oldCopyMs } from '#api/copies/copy-store.ts'
import { readNewestChange } from '#api/db/copy.ts'
import type { HasDb } from '#api/db/query.ts'
import { readSetting, writeSetting } from '#api/db/stored-settings.ts'
import { errorMessage } from '#api/log.ts'
import { openObjectStore } from '#api/object-store/store.ts'
import type { JobReport } from '#shared/contract/jobs.ts'
import { formatMoment, londonDay } from '#shared/rules/london.ts'
import { lastBackup, passphraseOf, readSchedule } from './jobs.ts'

const key = 'rehearsal'

/** `tried`: what was restored. `newest`: the newest change in each. `failed`: why that didn’t work. */
const Rehearsal = v.object({
  at: v.string(),
  tried: v.array(v.string()),
  newest: v.optional(v.array(v.string()), []),
  failed: v.nullable(v.string()),
})
type Rehearsal = v.InferOutput<typeof Rehearsal>

export function lastRehearsal(ctx: HasDb): Rehearsal | null {
  const parsed = v.safeParse(Rehearsal, readSetting(ctx, key)?.value)
  return parsed.success ? parsed.output : null
}

/** `run` resolves to the newest change that was in it. */
type Trial = { of: string; run(): Promise<string | null> }

/**
 * Restores last night’s backup and the newest continuous copy beside the site, checks them and how new they are, and throws them
 * away. A run that fails counts as one, so it isn’t repeated all day: an owner repeats it by hand.
 */
export async function rehearse(ctx: Context, { stopping }: { stopping: AbortSignal | undefined }): Promise<JobReport> {
  const trials = [backupTrial(ctx, stopping ?? new AbortController().signal), await copyTrial(ctx)]
  const faults: string[] = []
  const tried: string[] = []
  const newest: string[] = []
  for (const trial of trials) {
    if (trial === null) continue
    tried.push(trial.of)
    try {
      newest.push((await trial.run()) ?? '')
    } catch (error) {
      stopping?.throwIfAborted()
      faults.push(`${trial.of}: ${errorMessage(error)}`)
    }
  }
  if (tried.length === 0) return { tried: 0 }
  const failed = faults.length === 0 ? null : faults.join(' ')
  writeSetting(ctx, key, { at: ctx.now().toISOString(), tried, newest, failed } satisfies Rehearsal)
  return { tried: tried.length, ...(failed === null ? {} : { failed }) }
}

/** Disk space that's left to the site itself. */
const reservedBytes = 256 * 1024 ** 2

/** A rehearsal fails rather than take the room in which the site stores what comes. */
function assertRoom(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder)
  if (bavail * bsize - bytes >= reservedBytes) return
  throw new Error(
    `There’s no room on the disk to restore it beside the site: it takes ${Math.ceil(bytes / 1024 ** 2)} MB.`,
  )
}

const bytesOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** Its films are read by a job of their own. */
function backupTrial(ctx: Context, signal: AbortSignal): Trial | null {
  const [schedule, last] = [readSchedule(ctx), lastBackup(ctx)]
  if (schedule === null || last === null) return null
  return {
    of: basename(last.file),
    async run() {
      assertRoom(dirname(last.file), bytesOf(last.file))
      const { verifyBackup } = await import('./read-service.ts')
      const { problems, newestChange } = await verifyBackup(last.file, passphraseOf(ctx, schedule), {
        signal,
        leavesFilms: true,
      })
      if (problems.length > 0) throw new Error(problems.join(' '))
      if (newestChange !== null && londonDay(new Date(newestChange)) < last.day)
        throw new Error(`Its newest change is from ${formatMoment(newestChange)}, before the day it’s for.`)
      return newestChange
    },
  }
}

/** Null where nothing has been copied yet, too: doctor says so anyway. */
async function copyTrial(ctx: Context): Promise<Trial | null> {
  const { store, machine } = ctx.settings.copies
  if (store === null || ctx.sqlite.memory) return null
  const isThere = await newestCopies(openObjectStore(store)).then(
    (copies) => copies.has(machine),
    () => true,
  )
  if (!isThere) return null
  return {
    of: `the copy of ${machine}`,
    async run() {
      const { name: file } = ctx.sqlite
      assertRoom(dirname(file), bytesOf(file) + bytesOf(`${file}-wal`))
      const own = readNewestChange(ctx.sqlite)
      const { newestChange } = await (await import('#api/copies/try-copy.ts')).tryCopy(ctx.settings, machine)
      if (own !== null && newestChange !== null && Date.parse(own) - Date.parse(newestChange) > oldCopyMs) {
        const sentence = `Its newest change is from ${formatMoment(newestChange)}. The site’s is from ${formatMoment(own)}.`
        throw new Error(`${sentence} Is Litestream running?`)
      }
      return newestChange
    },
  }
}
