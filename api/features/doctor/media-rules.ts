import { asc } from 'drizzle-orm'
import type { Db } from '#api/db/open.ts'
import { media } from '#api/db/schema/media.ts'
import { isWholeFile, mediaFile } from '#api/features/media/store-service.ts'
import { plural } from '#shared/rules/plural.ts'
import { type Check, failed, firstFew, ok, runCheck } from './check-rules.ts'

/** Compares only their sizes: reading all of them would take minutes. */
export const checkMedia = (db: Db, dataDir: string): Check =>
  runCheck('media', () => {
    const rows = db
      .select({ sha256: media.sha256, bytes: media.bytes, name: media.name })
      .from(media)
      .orderBy(asc(media.createdAt), asc(media.id))
      .all()
    const files = rows.map((row) => ({ ...row, path: mediaFile({ settings: { dataDir } }, row) }))
    const broken = files.filter(({ path, bytes }) => !isWholeFile(path, bytes))
    if (broken.length === 0) return ok('media', 'All files are complete.')
    const names = firstFew(broken.map(({ name, path }) => `${name} (${path})`))
    const count = plural(broken.length, 'file is', 'files are')
    return failed('media', `${count} missing or incomplete: ${names}. Upload them again or restore them from a backup.`)
  })
