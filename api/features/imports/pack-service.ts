import { open } from 'node:fs/promises'
import type { Entry, ZipFile } from 'yauzl'
import { AppError } from '#api/errors.ts'

/** The file that was given: one export, or a ZIP with an export, its pictures and its redirects. It's open until its process ends. */
export type Pack = {
  isZip: boolean
  names: readonly string[]
  /** Can be called again, for a second pass. */
  stream(name: string): Promise<AsyncIterable<Uint8Array>>
  /** Null if it's larger than `most`. */
  bytes(name: string, most: number): Promise<Uint8Array | null>
}

const mostEntries = 100_000
/** What an entry may unpack to, and how many times its packed size. Text seldom comes to twenty, except where there's little of it. */
const mostUnpacked = 4 * 1024 ** 3
const [mostTimes, littleBytes] = [200, 4 * 1024 ** 2]

const unreadable = () => new AppError('invalid', 'We can’t open this ZIP. Zip it up again and choose the new one.')

/** `fileName`: what its owner calls it. */
export async function openPack(path: string, fileName = ''): Promise<Pack> {
  return zipHeads.includes(await readHead(path)) ? openZip(path) : singleFile(path, fileName)
}

/** The second is of a ZIP with nothing in it. */
const zipHeads = ['PK\u0003\u0004', 'PK\u0005\u0006']

async function readHead(path: string): Promise<string> {
  const handle = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0)
    return buffer.toString('latin1', 0, bytesRead)
  } finally {
    await handle.close()
  }
}

function singleFile(path: string, fileName: string): Pack {
  const file = Bun.file(path)
  return {
    isZip: false,
    names: [fileName],
    stream: async () => file.stream(),
    bytes: async (_name, most) => (file.size > most ? null : new Uint8Array(await file.arrayBuffer())),
  }
}

async function openZip(path: string): Promise<Pack> {
  const { openPromise } = await import('yauzl')
  const zip = await openPromise(path, { autoClose: false, lazyEntries: true }).catch(() => {
    throw unreadable()
  })
  const entries = await listEntries(zip).catch((error) => {
    throw error instanceof AppError ? error : unreadable()
  })
  const entryOf = (name: string): Entry => {
    const entry = entries.get(name)
    if (entry === undefined) throw new AppError('invalid', `${name} isn’t in this ZIP.`)
    const { compressedSize, uncompressedSize } = entry
    if (uncompressedSize > mostUnpacked || uncompressedSize > Math.max(littleBytes, compressedSize * mostTimes))
      throw new AppError('too_large', `${name} unpacks to far more than it should, so we haven’t opened it.`)
    return entry
  }
  const stream = async (name: string): Promise<AsyncIterable<Uint8Array>> => readEntry(zip, entryOf(name))
  return {
    isZip: true,
    names: [...entries.keys()],
    stream,
    async bytes(name, most) {
      // The reader checks that an entry has the size it claims.
      return entryOf(name).uncompressedSize > most ? null : collect(await stream(name))
    },
  }
}

/** It may be damaged, or larger than it claims. */
async function* readEntry(zip: ZipFile, entry: Entry): AsyncIterable<Uint8Array> {
  try {
    yield* await zip.openReadStreamPromise(entry)
  } catch {
    throw unreadable()
  }
}

async function listEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > mostEntries) throw new AppError('too_large', 'This ZIP has more than 100,000 files.')
  const entries = new Map<string, Entry>()
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileName
    // What a Mac adds to its ZIPs.
    if (!name.endsWith('/') && !/(^|\/)(__MACOSX\/|\.)/.test(name)) entries.set(name, entry)
  }
  return entries
}

export async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = []
  for await (const chunk of chunks) all.push(chunk)
  return new Uint8Array(Buffer.concat(all))
}
