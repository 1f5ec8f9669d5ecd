import { existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { isSealed, readSealedFile, writeSealedFile } from '#api/archive/sealed-file.ts'
import type { Context } from '#api/context.ts'
import { transact } from '#api/db/open.ts'
import { isWholeFile, mediaFile, newIncomingPath, placeFile } from '#api/features/media/store-service.ts'
import { listCheckedFiles } from '#api/features/videos/shelf/check-service.ts'
import type { ObjectStore, StoredObject } from '#api/object-store/store.ts'
import { backupsToDelete, type KeepRule } from '#shared/rules/keep-backups.ts'
import { londonInstant } from '#shared/rules/london.ts'
import { hashOf } from './create-service.ts'
import { findUnderway } from './leftovers-service.ts'
import { readManifest } from './read-service.ts'

const nightlyName = /^alliance-(\d{4}-\d\d-\d\d)-nightly(?:-(\d\d)(\d\d))?(-\d+)?\.sealed$/
const isBackup = (name: string) => /^alliance-.*\.sealed$/.test(name)
const isMedia = /^media\/[0-9a-f]{64}$/

/** `names` are those of this database's own nights, which alone it may delete. */
type Mirroring = { names: readonly string[]; rule: KeepRule; now: Date; passphrase: string | null }

/**
 * Copies the folder's encrypted nightly backups and their media to the store, and deletes there what the rule drops. Media first,
 * so that a backup is there only once it can be restored. Returns how many were stored, and which names still are anywhere.
 */
export async function mirrorBackups(store: ObjectStore, folder: string, mirroring: Mirroring) {
  const { names } = mirroring
  const there = new Map((await store.list()).map(({ name, bytes }) => [name, bytes]))
  const backups: string[] = []
  for (const name of names) if (await isToStore(folder, name)) backups.push(name)
  for (const name of listMedia(folder)) await putIfChanged(store, folder, { name, there })
  let stored = 0
  for (const name of backups) stored += Number(await putIfChanged(store, folder, { name, there }))
  for (const name of namesToDelete(folder, there, mirroring)) {
    await store.remove(name)
    there.delete(name)
  }
  const inStore = new Set([...there.keys(), ...backups])
  for (const name of await unneededMedia(folder, inStore, mirroring.passphrase)) await store.remove(name)
  return { stored, left: names.filter((name) => inStore.has(name) || existsSync(join(folder, name))) }
}

/**
 * The rule is asked of the store's own names: on a new machine the folder is empty. What the folder still has would only be stored
 * again.
 */
function namesToDelete(folder: string, there: ReadonlyMap<string, number>, { names, rule, now }: Mirroring): string[] {
  const known = names.filter((name) => there.has(name) || existsSync(join(folder, name)))
  const dated = known.flatMap((name) => {
    const [, day, hour = '00', minute = '00'] = nightlyName.exec(name) ?? []
    return day === undefined ? [] : [{ name, createdAt: londonInstant(day, `${hour}:${minute}`).toISOString() }]
  })
  return backupsToDelete(dated, rule, now)
    .map(({ name }) => name)
    .filter((name) => there.has(name) && !existsSync(join(folder, name)))
}

/** Only once all backups of the store are in the folder too, where what they need can be read. */
async function unneededMedia(folder: string, inStore: Set<string>, passphrase: string | null): Promise<string[]> {
  const here = new Set(listMedia(folder))
  const unneeded = new Set([...inStore].filter((name) => isMedia.test(name) && !here.has(name)))
  if (unneeded.size === 0 || findUnderway(folder) !== null) return []
  for (const name of [...inStore].filter(isBackup)) {
    const manifest = await readManifest(join(folder, name), passphrase).catch(() => null)
    if (manifest === null) return []
    for (const { sha256 } of manifest.media) unneeded.delete(`media/${sha256}`)
  }
  return [...unneeded]
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
 * Puts the video files of the stored backups that this machine doesn't have where they belong, one by one, so a cut run goes on. Returns
 * how many, and the names of those the store doesn't have whole.
 */
export async function fetchVideoFiles(
  ctx: Context,
  store: ObjectStore,
  key: string,
): Promise<{ fetched: number; missing: string[] }> {
  const wanted = listCheckedFiles(ctx).filter(
    (row) => row.isWhole === false || !isWholeFile(mediaFile(ctx, row), row.bytes),
  )
  const there = new Set((await store.list('media/')).map(({ name }) => name))
  const missing: string[] = []
  let fetched = 0
  for (const row of wanted) {
    const isFetched = there.has(`media/${row.sha256}`) && (await fetchVideoFile(ctx, store, { ...row, key }))
    if (isFetched) fetched += 1
    else missing.push(row.name)
  }
  return { fetched, missing }
}

type VideoFile = { sha256: string; key: string }

/** False if what's there isn't the file any more. */
async function fetchVideoFile(ctx: Context, store: ObjectStore, { sha256, key }: VideoFile): Promise<boolean> {
  const [sealed, partial] = [newIncomingPath(ctx), newIncomingPath(ctx)]
  try {
    await store.get(`media/${sha256}`, sealed)
    await writeSealedFile(`${partial}-open`, readSealedFile(sealed, key), { passphrase: null, partial })
    if ((await hashOf(`${partial}-open`)) !== sha256) return false
    transact(ctx, () => placeFile(ctx, { path: `${partial}-open`, sha256 }))
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
  // A list without the key says when the file was made.
  utimesSync(file, new Date(manifest.createdAt), new Date(manifest.createdAt))
  let fetched = 0
  for (const { sha256, isApart } of manifest.media) {
    const to = join(folder, 'media', sha256)
    if (!isApart || existsSync(to)) continue
    await store.get(`media/${sha256}`, to)
    fetched += 1
  }
  return { file, media: fetched }
}
