import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isSealed, readSealedFile, writeSealedFile } from '#api/archive/sealed-file.ts'
import type { Context } from '#api/context.ts'
import { media } from '#api/db/schema/media.ts'
import { isWholeFile, linkIntoPlace, mediaFile, newIncomingPath } from '#api/features/media/store-service.ts'
import type { ObjectStore, StoredObject } from '#api/object-store/store.ts'
import { hashOf } from './create-service.ts'
import { findUnderway } from './leftovers-service.ts'
import { readManifest } from './read-service.ts'

const nightlyName = /^alliance-.*-nightly(-\d+)?\.sealed$/
const isMedia = /^media\/[0-9a-f]{64}$/

/**
 * Makes the store hold what the folder holds: encrypted nightly backups and their media. Media first, so that a backup is there
 * only once it can be restored. Returns how many backups were stored.
 */
export async function mirrorBackups(store: ObjectStore, folder: string, names: readonly string[]): Promise<number> {
  const there = new Map((await store.list()).map(({ name, bytes }) => [name, bytes]))
  const backups: string[] = []
  for (const name of names) if (await isToStore(folder, name)) backups.push(name)
  const media = listMedia(folder)
  for (const name of media) await putIfChanged(store, folder, { name, there })
  let stored = 0
  for (const name of backups) stored += Number(await putIfChanged(store, folder, { name, there }))
  const keeps = new Set([...backups, ...media])
  const isUnderway = findUnderway(folder) !== null
  for (const name of there.keys()) {
    // Those of another site, or made by hand, stay.
    const isOurs = nightlyName.test(name) || (isMedia.test(name) && !isUnderway)
    if (isOurs && !keeps.has(name)) await store.remove(name)
  }
  return stored
}

/** Only encrypted backups leave this machine. */
const isToStore = async (folder: string, name: string) =>
  nightlyName.test(name) && existsSync(join(folder, name)) && (await isSealed(join(folder, name)))

function listMedia(folder: string): string[] {
  const apart = join(folder, 'media')
  if (!existsSync(apart)) return []
  return readdirSync(apart)
    .map((name) => `media/${name}`)
    .filter((name) => isMedia.test(name))
}

type Mirrored = { name: string; there: ReadonlyMap<string, number> }

/** Media are named by their hash and a backup is never written over, so the same length is the same file. */
async function putIfChanged(store: ObjectStore, folder: string, { name, there }: Mirrored): Promise<boolean> {
  const file = join(folder, name)
  if (there.get(name) === statSync(file).size) return false
  await store.put(name, file)
  return true
}

/**
 * Puts the films of the stored backups that this machine doesn't have where they belong, one by one, so a cut run goes on. Returns
 * how many, and the names of those the store doesn't have whole.
 */
export async function fetchFilms(
  ctx: Context,
  store: ObjectStore,
  key: string,
): Promise<{ fetched: number; missing: string[] }> {
  const rows = ctx.db.select({ sha256: media.sha256, bytes: media.bytes, name: media.name }).from(media).all()
  const wanted = new Map(
    rows.filter((row) => !isWholeFile(mediaFile(ctx, row), row.bytes)).map((row) => [row.sha256, row]),
  )
  const there = new Set((await store.list('media/')).map(({ name }) => name))
  const missing: string[] = []
  let fetched = 0
  for (const row of wanted.values()) {
    const isFetched = there.has(`media/${row.sha256}`) && (await fetchFilm(ctx, store, { ...row, key }))
    if (isFetched) fetched += 1
    else missing.push(row.name)
  }
  return { fetched, missing }
}

type Film = { sha256: string; key: string }

/** False if what's there isn't the film any more. */
async function fetchFilm(ctx: Context, store: ObjectStore, { sha256, key }: Film): Promise<boolean> {
  const [sealed, partial, to] = [newIncomingPath(ctx), newIncomingPath(ctx), mediaFile(ctx, { sha256 })]
  try {
    await store.get(`media/${sha256}`, sealed)
    await writeSealedFile(`${partial}-open`, readSealedFile(sealed, key), { passphrase: null, partial })
    if ((await hashOf(`${partial}-open`)) !== sha256) return false
    linkIntoPlace(`${partial}-open`, to)
    return true
  } finally {
    for (const path of [sealed, `${partial}-open`]) rmSync(path, { force: true })
  }
}

export const isNightly = ({ name }: StoredObject) => nightlyName.test(name)

/** Fetches a backup from the store with the media it needs, into a folder `alliance backup restore` then reads. */
export async function fetchBackup(
  store: ObjectStore,
  { name, folder, key }: { name: string; folder: string; key: string },
): Promise<{ file: string; media: number }> {
  mkdirSync(join(folder, 'media'), { recursive: true, mode: 0o700 })
  const file = join(folder, name)
  if (!existsSync(file)) await store.get(name, file)
  const manifest = await readManifest(file, key)
  let fetched = 0
  for (const { sha256, isApart } of manifest.media) {
    const to = join(folder, 'media', sha256)
    if (!isApart || existsSync(to)) continue
    await store.get(`media/${sha256}`, to)
    fetched += 1
  }
  return { file, media: fetched }
}
