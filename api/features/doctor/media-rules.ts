import { asc } from 'drizzle-orm'
import type { HasDb } from '#api/db/query.ts'
import { media } from '#api/db/schema/media.ts'
import { filmsInStore, listFilms } from '#api/features/media/remote-service.ts'
import { isWholeFile, mediaFile } from '#api/features/media/store-service.ts'
import type { Settings } from '#api/settings.ts'
import { plural } from '#shared/rules/plural.ts'
import { type Check, failed, firstFew, ok, runAsyncCheck, runCheck } from './check-rules.ts'

type HasMedia = HasDb & { settings: Pick<Settings, 'dataDir' | 'mediaStore'> }

/** Compares only their sizes: reading all of them would take minutes. Doesn't ask the store, and takes films to be there. */
export const checkMedia = (ctx: HasMedia): Check =>
  runCheck('media', () => {
    const films = ctx.settings.mediaStore === null ? [] : listFilms(ctx)
    return findBroken(ctx, new Set(films.map(({ sha256 }) => sha256)))
  })

export const checkMediaAndStore = (ctx: HasMedia): Promise<Check> =>
  runAsyncCheck('media', async () => findBroken(ctx, await filmsInStore(ctx)))

function findBroken({ db, settings }: HasMedia, inStore: ReadonlySet<string>): Check {
  const rows = db
    .select({ sha256: media.sha256, bytes: media.bytes, name: media.name })
    .from(media)
    .orderBy(asc(media.createdAt), asc(media.id))
    .all()
  const files = rows.map((row) => ({ ...row, path: mediaFile({ settings }, row) }))
  const away = files.filter(({ path, bytes }) => !isWholeFile(path, bytes))
  const broken = away.filter(({ sha256 }) => !inStore.has(sha256))
  const stored = away.length - broken.length
  const where = stored === 0 ? '' : ` ${plural(stored, 'is', 'are')} in the store, whose own encryption covers them.`
  if (broken.length === 0) return ok('media', `All files are complete.${where}`)
  const names = firstFew(broken.map(({ name, path }) => `${name} (${path})`))
  const count = plural(broken.length, 'file is', 'files are')
  return failed('media', `${count} missing or incomplete: ${names}. Upload them again or restore them from a backup.`)
}
