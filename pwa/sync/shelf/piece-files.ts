import { ignoreMissing, shelfName, storageBuckets, wipeKeptFiles } from '#pwa/sync/kept-files.ts'

// This and piece-writer.ts alone know how browsers differ in storing large files.

/** Where a phone stores kept videos, in pieces: each is written whole or not at all. `file` is the whole video's SHA-256. */
export type PieceFiles = {
  write(file: string, index: number, bytes: ArrayBuffer): Promise<void>
  /** The first `count` pieces, in order; null if one is missing. */
  read(file: string, count: number): Promise<Blob[] | null>
  /** File → how many of its pieces there are. */
  list(): Promise<Map<string, number>>
  remove(file: string): Promise<void>
  wipe(): Promise<void>
}

export type Piece = { file: string; name: string; bytes: ArrayBuffer }

/** `writeElsewhere` is for browsers that write files in a dedicated worker only. The service worker just reads. */
export function browserPieceFiles(writeElsewhere?: (piece: Piece) => Promise<void>): PieceFiles {
  return typeof navigator.storage?.getDirectory === 'function' ? folderFiles(writeElsewhere) : cacheFiles()
}

async function openShelf(): Promise<FileSystemDirectoryHandle> {
  const bucket = await storageBuckets()?.open(shelfName)
  const root = await (bucket ?? navigator.storage).getDirectory()
  return root.getDirectoryHandle(shelfName, { create: true })
}

const folderFiles = (writeElsewhere: ((piece: Piece) => Promise<void>) | undefined): PieceFiles => ({
  write: async (file, index, bytes) => {
    const name = String(index)
    if (writeElsewhere && !('createWritable' in FileSystemFileHandle.prototype))
      return writeElsewhere({ file, name, bytes })
    const folder = await (await openShelf()).getDirectoryHandle(file, { create: true })
    await writeFile(folder, name, bytes)
  },
  read: async (file, count) => {
    try {
      const folder = await (await openShelf()).getDirectoryHandle(file)
      const names = Array.from({ length: count }, (_, index) => String(index))
      return await Promise.all(names.map(async (name) => (await folder.getFileHandle(name)).getFile()))
    } catch (error) {
      ignoreMissing(error)
      return null
    }
  },
  list: async () => {
    const found = new Map<string, number>()
    for await (const [name, folder] of (await openShelf()).entries())
      if (folder instanceof FileSystemDirectoryHandle) found.set(name, await countEntries(folder))
    return found
  },
  remove: async (file) => (await openShelf()).removeEntry(file, { recursive: true }).catch(ignoreMissing),
  wipe: wipeKeptFiles,
})

async function countEntries(folder: FileSystemDirectoryHandle): Promise<number> {
  let count = 0
  for await (const _ of folder.keys()) count += 1
  return count
}

/** Nothing shows under the name until `close`. */
async function writeFile(folder: FileSystemDirectoryHandle, name: string, bytes: ArrayBuffer): Promise<void> {
  const file = await folder.getFileHandle(name, { create: true })
  const writable = await file.createWritable()
  try {
    await writable.write(bytes)
    await writable.close()
  } catch (error) {
    await writable.abort().catch(() => {})
    await folder.removeEntry(name).catch(() => {})
    throw error
  }
}

const cachedPath = (file: string, name: string | number) => `/${shelfName}/${file}/${name}`

/** For browsers without a file system of the site's own. */
const cacheFiles = (): PieceFiles => ({
  write: async (file, index, bytes) => (await caches.open(shelfName)).put(cachedPath(file, index), new Response(bytes)),
  read: async (file, count) => {
    const cache = await caches.open(shelfName)
    const paths = Array.from({ length: count }, (_, index) => cachedPath(file, index))
    const found = await Promise.all(paths.map(async (path) => (await cache.match(path))?.blob()))
    return found.every((blob) => blob !== undefined) ? found : null
  },
  list: async () => {
    const found = new Map<string, number>()
    // Without https a page has neither, and keeps nothing.
    if (!('caches' in globalThis)) return found
    for (const { url } of await (await caches.open(shelfName)).keys()) {
      const file = new URL(url).pathname.split('/')[2] ?? ''
      found.set(file, (found.get(file) ?? 0) + 1)
    }
    return found
  },
  remove: async (file) => {
    const cache = await caches.open(shelfName)
    for (const request of await cache.keys())
      if (new URL(request.url).pathname.startsWith(cachedPath(file, ''))) await cache.delete(request)
  },
  wipe: wipeKeptFiles,
})
