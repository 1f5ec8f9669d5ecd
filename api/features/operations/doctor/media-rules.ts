import type { HasDb } from '#api/db/query.ts'
import { listVideoFiles, videoFilesInStore } from '#api/features/media/remote-service.ts'
import { isWholeFile, mediaFile } from '#api/features/media/store-service.ts'
import { listCheckedFiles, type ReadFiles } from '#api/features/videos/shelf/check-service.ts'
import type { Settings } from '#api/settings.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'
import { type Check, failed, firstFew, ok, runAsyncCheck, runCheck } from './check-rules.ts'

type HasMedia = HasDb & { settings: Pick<Settings, 'dataDir' | 'mediaStore'> }

/**
 * Compares their sizes, and what the last reading found: reading all of them would take minutes. Doesn't ask the store, and takes
 * video files to be there.
 */
export const checkMedia = (ctx: HasMedia): Check =>
  runCheck('media', () => {
    const videoFiles = ctx.settings.mediaStore === null ? [] : listVideoFiles(ctx)
    return findBroken(ctx, { inStore: new Set(videoFiles.map(({ sha256 }) => sha256)) })
  })

/** `readAll` reads every file first. */
export const checkMediaAndStore = (ctx: HasMedia, readAll?: () => Promise<ReadFiles>): Promise<Check> =>
  runAsyncCheck('media', async () => {
    const read = await readAll?.()
    return findBroken(ctx, { inStore: await videoFilesInStore(ctx), ...(read && { read }) })
  })

/** `read`: what reading all of them has found. */
type Found = { inStore: ReadonlySet<string>; read?: ReadFiles }

function findBroken(ctx: HasMedia, { inStore, read }: Found): Check {
  const files = listCheckedFiles(ctx).map((row) => ({ ...row, path: mediaFile(ctx, row) }))
  const away = files.filter(({ path, bytes }) => !isWholeFile(path, bytes))
  const lost = away.filter(({ sha256 }) => !inStore.has(sha256))
  const here = files.filter((file) => !away.includes(file))
  const changed = here.filter(({ sha256, isWhole }) => (read?.get(sha256) ?? isWhole) === false)
  const broken = [...lost, ...changed]
  if (broken.length > 0) {
    const names = firstFew(broken.map(({ name, path }) => `${name} (${path})`))
    const state = `${plural(broken.length, 'file is', 'files are')} missing, cut short or damaged`
    return failed('media', `${state}: ${names}. ${mendFiles}`)
  }
  const stored = away.length - lost.length
  const where =
    stored === 0 ? '' : ` ${plural(stored, 'is', 'are')} in the store, which encrypts and checks them itself.`
  return ok('media', `All files are there in full.${read ? ' We’ve read each one.' : readSince(here)}${where}`)
}

/** The nightly check forgets a damaged version of ours, and the job makes it again. */
const mendFiles =
  'Upload them again or restore them from a backup. We make our own light videos and audio again at night.'

function readSince(files: readonly { checkedAt: string | null }[]): string {
  const unread = files.filter(({ checkedAt }) => checkedAt === null).length
  if (unread > 0) return ` ${unread} ${unread === 1 ? 'hasn’t' : 'haven’t'} been read yet.`
  const oldest = files.map(({ checkedAt }) => checkedAt ?? '').sort()[0]
  return oldest === undefined ? '' : ` We’ve read each one since ${formatLongDate(oldest)}.`
}
