import { ignoreMissing, shelfName, storageBuckets, wipeKeptFiles } from './wipe.ts'

// The one file that knows how browsers differ in storing large files.

/** Where a phone stores kept films, in pieces: each is written whole or not at all. `file` is the whole film's SHA-256. */
export type PieceFiles = {
  write(file: string, index: number, bytes: ArrayBuffer): Promise<void>
  /** The first `count` pieces, in order; null if one is missing. */
  read(file: string, count: number): Promise<Blob[] | null>
  /** File → how many of its pieces there are. */
  list(): Promise<Map<string, number>>
  remove(file: string): Promise<void>
  wipe(): Promise<void>
}

export function browserPieceFiles(): PieceFiles {
  return typeof navigator.storage?.getDirectory === 'function' ? folderFiles() : cacheFiles()
}

async function openShelf(): Promise<FileSystemDirectoryHandle> {
  const bucket = await storageBuckets()?.open(shelfName)
  const root = await (bucket ?? navigator.storage).getDirectory()
  return root.getDirectoryHandle(shelfName, { create: true })
}

const folderFiles = (): PieceFiles => ({
  write: async (file, index, bytes) => {
    const folder = await (await openShelf()).getDirectoryHandle(file, { create: true })
    if ('createWritable' in FileSystemFileHandle.prototype) await writeFile(folder, String(index), bytes)
    else await writeInWorker({ file, name: String(index), bytes })
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

export type WorkerPiece = { file: string; name: string; bytes: ArrayBuffer }

/** Safari before 26 writes files in a dedicated worker only. */
async function writeInWorker(piece: WorkerPiece): Promise<void> {
  const worker = new Worker(new URL('./piece-worker.ts', import.meta.url), { type: 'module' })
  try {
    const answer = new Promise<unknown>((resolve, reject) => {
      worker.addEventListener('message', ({ data }) => resolve(data))
      worker.addEventListener('error', () => reject(new Error('A piece could not be written.')))
    })
    worker.postMessage(piece, [piece.bytes])
    const problem = await answer
    if (problem !== null) throw new DOMException('A piece could not be written.', String(problem))
  } finally {
    worker.terminate()
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
