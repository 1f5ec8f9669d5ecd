import { createReadStream } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { asc, count, eq, gt, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import type { HasDb } from '#api/db/query.ts'
import { media, mediaChecks } from '#api/db/schema/media.ts'
import { forgetVersion } from '#api/features/shelf/making-service.ts'
import { filmsWithVersions } from '#api/features/shelf/versions-queries.ts'
import { versionIn } from '#api/features/shelf/versions-rules.ts'
import type { Settings } from '#api/settings.ts'
import { versionForms } from '#shared/contract/lesson-versions.ts'
import { isWholeFile, mediaFile, noteChecked } from './store-service.ts'

const nights = 30
const hourMs = 3_600_000
/** A slow disk reads five times as much. */
const mostBytesASecond = 20_000_000

type CheckedFile = { sha256: string; bytes: number; name: string; checkedAt: string | null; isWhole: boolean | null }

/** The library's files, each content once: known damage first, then what was read longest ago. */
export const listCheckedFiles = ({ db }: HasDb): CheckedFile[] =>
  db
    .select({
      ...{ sha256: media.sha256, bytes: media.bytes, name: sql`min(${media.name})`.mapWith(media.name) },
      ...{ checkedAt: mediaChecks.checkedAt, isWhole: mediaChecks.isWhole },
    })
    .from(media)
    .leftJoin(mediaChecks, eq(mediaChecks.file, media.sha256))
    .groupBy(media.sha256)
    .orderBy(sql`coalesce(${mediaChecks.isWhole}, 1)`, asc(mediaChecks.checkedAt), asc(media.sha256))
    .all()

/**
 * Reads a thirtieth of the files a night, slowly, and known damage again. Files that aren't there in full are found by their
 * length. A damaged light version or sound of a film is made again.
 */
export async function checkFiles(ctx: Context, { stopping }: { stopping: AbortSignal | undefined }) {
  const report = { read: 0, damaged: 0 }
  const files = listCheckedFiles(ctx).filter(({ sha256, bytes }) => isWholeFile(mediaFile(ctx, { sha256 }), bytes))
  const known = files.filter(({ isWhole }) => isWhole === false)
  const left = Math.max(0, Math.ceil(files.length / nights) - readLately(ctx))
  const others = files.slice(known.length, known.length + left)
  for (const { sha256 } of [...known, ...others]) {
    const isWhole = (await hashSlowly(mediaFile(ctx, { sha256 }), stopping)) === sha256
    if (stopping?.aborted) break
    noteChecked(ctx, sha256, isWhole)
    report.read += 1
    if (isWhole) continue
    report.damaged += 1
    ctx.log.error('a stored file is damaged', { file: mediaFile(ctx, { sha256 }) })
    remakeVersions(ctx, sha256)
  }
  return report
}

/** So that a run by hand doesn't read more a night. */
function readLately({ db, now }: Context): number {
  const since = new Date(now().getTime() - 20 * hourMs).toISOString()
  return db.select({ files: count() }).from(mediaChecks).where(gt(mediaChecks.checkedAt, since)).get()?.files ?? 0
}

/** One that owners gave is theirs to upload again. */
function remakeVersions(ctx: Context, sha256: string): void {
  const damaged = new Set(
    ctx.db
      .select({ id: media.id })
      .from(media)
      .where(eq(media.sha256, sha256))
      .all()
      .map(({ id }) => id),
  )
  for (const row of filmsWithVersions.all(ctx, { videoId: null }))
    for (const form of versionForms) {
      const version = versionIn(row, form)
      if (version !== null && version.madeFrom !== null && damaged.has(version.mediaId)) forgetVersion(ctx, row, form)
    }
}

async function hashSlowly(path: string, stopping: AbortSignal | undefined): Promise<string | null> {
  const began = performance.now()
  return hashOf(readIdly(path), async (bytes) => {
    stopping?.throwIfAborted()
    const aheadMs = (bytes / mostBytesASecond) * 1000 - (performance.now() - began)
    if (aheadMs > 10) await wait(aheadMs)
  })
}

/** Null if it can't be read to its end. `onRead` is called with the bytes so far. */
async function hashOf(content: AsyncIterable<Uint8Array>, onRead?: (bytes: number) => unknown): Promise<string | null> {
  const hash = new Bun.CryptoHasher('sha256')
  let bytes = 0
  try {
    for await (const chunk of content) {
      hash.update(chunk)
      bytes += chunk.length
      await onRead?.(bytes)
    }
  } catch {
    return null
  }
  return hash.digest('hex')
}

/** Another program reads it, with the priority that gives way to all others. Linux alone has one for disks. */
async function* readIdly(path: string): AsyncGenerator<Uint8Array> {
  const idle = Bun.which('ionice') === null ? [] : ['ionice', '-c', '3']
  const child = Bun.spawn(['nice', '-n', '19', ...idle, 'cat', '--', path], { stdin: 'ignore', stderr: 'ignore' })
  try {
    yield* child.stdout
    if ((await child.exited) !== 0) throw new Error('It can’t be read.')
  } finally {
    child.kill()
  }
}

type Library = HasDb & { settings: Pick<Settings, 'dataDir'> }

/** As fast as the disk can, for someone who waits. Calls `onRead` with each file's bytes. Returns their hashes. */
export async function findDamagedFiles(ctx: Library, onRead: (bytes: number) => unknown): Promise<Set<string>> {
  const damaged = new Set<string>()
  for (const { sha256, bytes } of listCheckedFiles(ctx)) {
    const path = mediaFile(ctx, { sha256 })
    if (isWholeFile(path, bytes) && (await hashOf(createReadStream(path))) !== sha256) damaged.add(sha256)
    await onRead(bytes)
  }
  return damaged
}
