import { rmSync } from 'node:fs'
import { asc } from 'drizzle-orm'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import type { HasDb } from '#api/db/query.ts'
import { media } from '#api/db/schema/media.ts'
import { errorMessage } from '#api/log.ts'
import { type ObjectStore, openObjectStore } from '#api/object-store/store.ts'
import type { Settings } from '#api/settings.ts'
import { isPlayable, pieceBytes } from '#shared/values/media.ts'
import { piecesOfFile } from './queries.ts'
import { hashesOf, isWholeFile, mediaFile, newIncomingPath, placeFile } from './store-service.ts'

type HasMediaStore = { settings: Pick<Settings, 'mediaStore'> }

export const mediaStoreOf = ({ settings: { mediaStore } }: HasMediaStore): ObjectStore | null =>
  mediaStore === null ? null : openObjectStore(mediaStore)

const folder = 'films/'
export const objectOf = ({ sha256 }: { sha256: string }) => folder + sha256

type Film = { sha256: string; bytes: number; name: string }

/** The library's films and sounds, each content once. The rest is small, and read here more than it's sent. */
export function listFilms({ db }: HasDb): Film[] {
  const rows = db
    .select({ sha256: media.sha256, bytes: media.bytes, name: media.name, format: media.format })
    .from(media)
    .orderBy(asc(media.createdAt), asc(media.id))
    .all()
  return [...new Map(rows.filter(({ format }) => isPlayable(format)).map((row) => [row.sha256, row])).values()]
}

/** Which of them are whole in the store. */
export async function filmsInStore(ctx: HasDb & HasMediaStore): Promise<Set<string>> {
  const store = mediaStoreOf(ctx)
  if (store === null) return new Set()
  const there = new Map((await store.list(folder)).map(({ name, bytes }) => [name, bytes]))
  return new Set(listFilms(ctx).flatMap((film) => (there.get(objectOf(film)) === film.bytes ? film.sha256 : [])))
}

/** `left`: why a film stays where it is. */
export type Moved = { moved: number; bytes: number; left: string[] }

type Moving = { store: ObjectStore; signal: AbortSignal; onMoved(film: Film): unknown }

/** One by one, and each is in the store before it's taken off the disk, so a cut run goes on where it was. */
export async function moveFilms(ctx: Context, to: 'store' | 'disk', moving: Moving): Promise<Moved> {
  const inStore = await filmsInStore(ctx)
  const report: Moved = { moved: 0, bytes: 0, left: [] }
  for (const film of listFilms(ctx)) {
    if (moving.signal.aborted) break
    const isHere = isWholeFile(mediaFile(ctx, film), film.bytes)
    if (to === 'store' ? !isHere : isHere || !inStore.has(film.sha256)) continue
    const reason = await (to === 'store' ? sendFilm : bringFilm)(ctx, moving.store, film)
    if (reason !== null) report.left.push(`${film.name} ${reason}`)
    else {
      report.moved += 1
      report.bytes += film.bytes
      await moving.onMoved(film)
    }
  }
  return report
}

/** Phones check a film by its pieces, which are read from the disk. */
const hasAllPieces = (ctx: Context, { sha256, bytes }: Film) =>
  piecesOfFile.all(ctx, { file: sha256 }).length === Math.ceil(bytes / pieceBytes)

async function sendFilm(ctx: Context, store: ObjectStore, film: Film): Promise<string | null> {
  const path = mediaFile(ctx, film)
  if (!hasAllPieces(ctx, film)) return 'hasn’t been read yet: try again in an hour.'
  if ((await hashesOf(path)).sha256 !== film.sha256) return 'is damaged: upload it again.'
  // One of the same length may be there, and damaged.
  await store.put(objectOf(film), path)
  rmSync(path)
  return null
}

/** It stays in the store: this may be a copy of the site, for trying something out. */
async function bringFilm(ctx: Context, store: ObjectStore, film: Film): Promise<string | null> {
  const path = newIncomingPath(ctx)
  try {
    await store.get(objectOf(film), path)
    if ((await hashesOf(path)).sha256 !== film.sha256) return 'is damaged in the store: upload it again.'
    transact(ctx, () => placeFile(ctx, { path, ...film }))
    return null
  } finally {
    rmSync(path, { force: true })
  }
}

/** After the film is gone from the library. What can't be deleted now stays in the store, and nobody is led to it. */
export function removeFromStore(ctx: Context, film: { sha256: string }): void {
  const removing = mediaStoreOf(ctx)?.remove(objectOf(film))
  removing?.catch((error: unknown) =>
    ctx.log.warn('bytes of a file not removed from the store', { ...film, reason: errorMessage(error) }),
  )
}
