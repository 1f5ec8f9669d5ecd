import { createReadStream } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { and, asc, count, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import type { HasDb } from '#api/db/query.ts'
import { media, mediaChecks } from '#api/db/schema/media.ts'
import { codecOf } from '#api/features/media/content-rules.ts'
import { videoFilesInStore } from '#api/features/media/remote-service.ts'
import { isWholeFile, mediaFile, noteChecked } from '#api/features/media/store-service.ts'
import type { Settings } from '#api/settings.ts'
import { versionForms } from '#shared/contract/video-versions.ts'
import { forgetVersion } from './making-service.ts'
import { videosWithVersions } from './versions-queries.ts'
import { versionIn } from './versions-rules.ts'

const nights = 30
const hourMs = 3_600_000
/** A slow disk reads five times as much. */
const mostBytesASecond = 20_000_000

type CheckedFile = { sha256: string; bytes: number; name: string; checkedAt: string | null; isWhole: boolean | null }

/** The library's files, each content once: known damage first, then what was read longest ago. */
export const listCheckedFiles = ({ db }: HasDb): CheckedFile[] =>
  db
    .select({
      sha256: media.sha256,
      bytes: media.bytes,
      name: sql`min(${media.name})`.mapWith(media.name),
      checkedAt: mediaChecks.checkedAt,
      isWhole: mediaChecks.isWhole,
    })
    .from(media)
    .leftJoin(mediaChecks, eq(mediaChecks.file, media.sha256))
    .groupBy(media.sha256)
    .orderBy(sql`coalesce(${mediaChecks.isWhole}, 1)`, asc(mediaChecks.checkedAt), asc(media.sha256))
    .all()

/**
 * Reads a thirtieth of the files a night, slowly, and known damage again. Files that aren't there in full are found by their
 * length. A version we made that's damaged or not there is made again. A file's codec is read where we don't know it yet.
 */
export async function checkFiles(ctx: Context, { stopping }: { stopping: AbortSignal | undefined }) {
  const report = { read: 0, damaged: 0 }
  const isHere = ({ sha256, bytes }: CheckedFile) => isWholeFile(mediaFile(ctx, { sha256 }), bytes)
  const [files, away] = partition(listCheckedFiles(ctx), isHere)
  const known = files.filter(({ isWhole }) => isWhole === false)
  const left = Math.max(0, Math.ceil(files.length / nights) - readLately(ctx))
  const others = files.slice(known.length, known.length + left)
  const broken = await lostFiles(ctx, away)
  for (const { sha256 } of [...known, ...others]) {
    const isWhole = (await hashSlowly(mediaFile(ctx, { sha256 }), stopping)) === sha256
    if (stopping?.aborted) break
    noteChecked(ctx, sha256, isWhole)
    report.read += 1
    if (isWhole) {
      await noteCodec(ctx, sha256)
      continue
    }
    report.damaged += 1
    ctx.log.error('a stored file is damaged', { file: mediaFile(ctx, { sha256 }) })
    broken.push(sha256)
  }
  await remakeVersions(ctx, new Set(broken), stopping)
  return report
}

/** Of a file that was stored before we read it. */
async function noteCodec(ctx: Context, sha256: string): Promise<void> {
  const unread = and(eq(media.sha256, sha256), eq(media.format, 'mp4'), isNull(media.codec))
  if (ctx.db.select({ id: media.id }).from(media).where(unread).get() === undefined) return
  const codec = await codecOf(Bun.file(mediaFile(ctx, { sha256 })), 'mp4')
  ctx.db.update(media).set({ codec }).where(unread).run()
}

const partition = <Item>(items: readonly Item[], goesFirst: (item: Item) => boolean): [Item[], Item[]] => [
  items.filter(goesFirst),
  items.filter((item) => !goesFirst(item)),
]

/** Those that aren't in the store either. */
async function lostFiles(ctx: Context, away: readonly CheckedFile[]): Promise<string[]> {
  if (away.length === 0) return []
  const inStore = await videoFilesInStore(ctx)
  return away.flatMap(({ sha256 }) => (inStore.has(sha256) ? [] : sha256))
}

/** So that a run by hand doesn't read more a night. */
function readLately({ db, now }: Context): number {
  const since = new Date(now().getTime() - 20 * hourMs).toISOString()
  return db.select({ files: count() }).from(mediaChecks).where(gt(mediaChecks.checkedAt, since)).get()?.files ?? 0
}

/** One that owners gave is theirs to upload again. A file that's damaged itself would make another damaged one. */
async function remakeVersions(ctx: Context, broken: ReadonlySet<string>, stopping: AbortSignal | undefined) {
  if (broken.size === 0) return
  const files = ctx.db.select({ id: media.id, sha256: media.sha256 }).from(media).all()
  const ids = new Set(files.flatMap(({ id, sha256 }) => (broken.has(sha256) ? id : [])))
  for (const row of videosWithVersions.all(ctx, { videoId: null }))
    for (const form of versionForms) {
      const version = versionIn(row, form)
      if (version === null || version.madeFrom === null || !ids.has(version.mediaId)) continue
      if (row.film !== null && (await hashSlowly(mediaFile(ctx, row.film), stopping)) === row.film.sha256)
        forgetVersion(ctx, row, form)
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

/** By the hash of each file that was read, whether it's whole. */
export type ReadFiles = ReadonlyMap<string, boolean>

/** As fast as the disk can, for someone who waits. Calls `onRead` with each file's bytes. */
export async function readFiles(ctx: Library, onRead: (bytes: number) => unknown): Promise<ReadFiles> {
  const found = new Map<string, boolean>()
  for (const { sha256, bytes } of listCheckedFiles(ctx)) {
    const path = mediaFile(ctx, { sha256 })
    if (isWholeFile(path, bytes)) found.set(sha256, (await hashOf(createReadStream(path))) === sha256)
    await onRead(bytes)
  }
  return found
}
