import { chmodSync, renameSync, rmSync } from 'node:fs'
import { errorMessage } from '#api/log.ts'

/** Where objects lie at an S3-compatible store. `prefix` ends with a slash, or is empty. */
export type StoreAddress = {
  bucket: string
  prefix: string
  endpoint: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

export type StoredObject = { name: string; bytes: number; storedAt: string }

/** What a store can do, by names below its prefix. A failure names the store, what was tried and why. */
export type ObjectStore = {
  /** `after`: only the names after that one. */
  list(folder?: string, after?: string): Promise<StoredObject[]>
  /** The names of the folders in a folder. */
  folders(folder: string): Promise<string[]>
  put(name: string, file: string): Promise<void>
  /** The file is there once it's whole. */
  get(name: string, file: string): Promise<void>
  remove(name: string): Promise<void>
  /** Null if there's none of that name. */
  size(name: string): Promise<number | null>
  /** From one byte to another, both included. Holds a piece at a time, however slowly it's read. */
  stream(name: string, range: { first: number; last: number }): ReadableStream<Uint8Array>
  /** A small object's text. */
  read(name: string): Promise<string>
  /**
   * Stores a text under a new name. False if there's one of that name already, as far as the store can tell: one that knows no
   * conditional writes replaces it.
   */
  create(name: string, text: string): Promise<boolean>
}

/** What goes there unencrypted, and the keys' signatures, may be read or changed on the way, except on this machine. */
const safeEndpoint = /^(https:\/\/[^/]|http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/|$))/

/** `s3://bucket/prefix?endpoint=https://…&region=…`. Null if it isn't one. `http` only to this machine. */
export function parseStoreAddress(
  address: string,
  keys: { accessKeyId: string; secretAccessKey: string },
): StoreAddress | null {
  const url = URL.parse(address)
  if (url === null || url.protocol !== 's3:' || url.hostname === '') return null
  const path = url.pathname.replace(/^\/+|\/+$/g, '')
  const region = url.searchParams.get('region') ?? 'us-east-1'
  const endpoint = url.searchParams.get('endpoint') ?? `https://s3.${region}.amazonaws.com`
  if (!safeEndpoint.test(endpoint)) return null
  return { bucket: url.hostname, prefix: path === '' ? '' : `${path}/`, endpoint, region, ...keys }
}

/** Says what failed at the store, and why. */
export class StoreError extends Error {}

/** Pieces of this size; a cut one is sent again, and an upload that fails leaves nothing behind. */
const pieceBytes = 8 * 1024 * 1024

export function openObjectStore({ prefix, ...address }: StoreAddress): ObjectStore {
  const client = new Bun.S3Client(address)
  const doing = async <Result>(what: string, work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work()
    } catch (error) {
      throw new StoreError(`${what} at s3://${address.bucket}/${prefix} failed: ${reasonOf(error)}`)
    }
  }
  return {
    list: (folder = '', after) =>
      doing('Listing', async () => (await listAll(client, prefix, { folder, after })).objects),
    folders: (folder) =>
      doing('Listing', async () => (await listAll(client, prefix, { folder, delimiter: '/' })).folders),
    put: (name, file) =>
      doing(`Storing ${name}`, async () => {
        await client.write(prefix + name, Bun.file(file), { partSize: pieceBytes, queueSize: 2, retry: 3 })
        const { size } = await client.stat(prefix + name)
        if (size !== Bun.file(file).size) throw new Error('it isn’t whole there.')
      }),
    get: (name, file) => doing(`Reading ${name}`, () => getWhole(client, prefix + name, file)),
    remove: (name) => doing(`Deleting ${name}`, () => client.delete(prefix + name)),
    size: (name) => doing(`Looking for ${name}`, () => sizeOf(client, prefix + name)),
    stream: (name, range) =>
      inPieces(range, (first, end) => doing(`Reading ${name}`, () => pieceOf(client, prefix + name, { first, end }))),
    read: (name) => doing(`Reading ${name}`, () => client.file(prefix + name).text()),
    create: (name, text) => doing(`Storing ${name}`, () => createOnce(client, prefix + name, text)),
  }
}

async function getWhole(client: Bun.S3Client, key: string, file: string): Promise<void> {
  const partial = `${file}.part`
  try {
    const sink = Bun.file(partial).writer()
    for await (const piece of client.file(key).stream()) {
      sink.write(piece)
      await sink.flush()
    }
    await sink.end()
    chmodSync(partial, 0o600)
    renameSync(partial, file)
  } finally {
    rmSync(partial, { force: true })
  }
}

const pieceOf = (client: Bun.S3Client, key: string, { first, end }: { first: number; end: number }) =>
  client.file(key).slice(first, end).bytes()

async function sizeOf(client: Bun.S3Client, key: string): Promise<number | null> {
  try {
    return (await client.stat(key)).size
  } catch (error) {
    // Bun's codes for an answer without a body.
    if (/^(NoSuchKey|UnknownError|ERR_S3_.*)$/.test(codeOf(error)) && !(await client.exists(key))) return null
    throw error
  }
}

const streamedBytes = 2 * 1024 * 1024

/** Asks for a piece when it's wanted. Bun's own stream of an object doesn't wait for a slow reader. */
function inPieces(
  { first, last }: { first: number; last: number },
  read: (first: number, end: number) => Promise<Uint8Array>,
): ReadableStream<Uint8Array> {
  let at = first
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const end = Math.min(at + streamedBytes, last + 1)
        const piece = await read(at, end)
        if (piece.length !== end - at) throw new Error('The object isn’t whole in the store.')
        at = end
        controller.enqueue(piece)
        if (at > last) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}

const busyTries = 4

/** Bun's client can't send the condition, but what it signs doesn't cover that header. */
async function createOnce(client: Bun.S3Client, key: string, text: string): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    const address = client.presign(key, { method: 'PUT', expiresIn: 300 })
    const response = await fetch(address, { method: 'PUT', body: text, headers: { 'if-none-match': '*' } })
    if (response.ok) return true
    const code = /<Code>(\w+)</.exec(await response.text())?.[1] ?? `HTTP ${response.status}`
    if (response.status === 412) return false
    // Busy, or another write of the same name is under way.
    if (![409, 500, 503].includes(response.status) || tries === busyTries)
      throw Object.assign(new Error(`it answers ${code}.`), { code })
    await Bun.sleep(100 * 2 ** tries)
  }
}

type Listed = { folder: string; after?: string | undefined; delimiter?: '/' }

/** By name, whatever the store's order. */
async function listAll(client: Bun.S3Client, prefix: string, { folder, after, delimiter }: Listed) {
  const [objects, folders]: [StoredObject[], string[]] = [[], []]
  let continuationToken: string | undefined
  do {
    const page = await client.list({
      prefix: prefix + folder,
      ...(after === undefined ? {} : { startAfter: prefix + after }),
      ...(delimiter === undefined ? {} : { delimiter }),
      ...(continuationToken === undefined ? {} : { continuationToken }),
    })
    for (const { key, size = 0, lastModified = '' } of page.contents ?? [])
      objects.push({ name: key.slice(prefix.length), bytes: size, storedAt: lastModified })
    folders.push(...(page.commonPrefixes ?? []).map((one) => one.prefix.slice(prefix.length)))
    continuationToken = page.isTruncated ? page.nextContinuationToken : undefined
  } while (continuationToken !== undefined)
  return { objects: objects.sort((one, other) => (one.name < other.name ? -1 : 1)), folders: folders.sort() }
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** Bun gives S3's own code, such as AccessDenied or NoSuchKey. */
function reasonOf(error: unknown): string {
  const code = codeOf(error)
  const known: Record<string, string> = {
    AccessDenied: 'the store refuses these keys.',
    InvalidAccessKeyId: 'the store doesn’t know this key.',
    SignatureDoesNotMatch: 'the secret key is wrong.',
    NoSuchBucket: 'there’s no such bucket.',
    NoSuchKey: 'it isn’t there.',
    SlowDown: 'the store is busy.',
    ConnectionRefused: 'nothing answers at its address.',
  }
  return known[code] ?? errorMessage(error)
}
