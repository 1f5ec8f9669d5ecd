import { createCipheriv, createDecipheriv, type DecipherGCM, randomBytes, scrypt } from 'node:crypto'
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'

const mark = Buffer.from('alliance sealed 1\n')
const chunkBytes = 1024 * 1024
const [saltBytes, nonceBytes, headBytes, tagBytes] = [16, 12, 5, 16]

export class WrongPassphrase extends Error {}

const work = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }

/** Takes 100 ms of CPU in a thread: a backup with videos derives hundreds of keys while the site goes on serving. */
function keyOf(passphrase: string, salt: Uint8Array): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  scrypt(passphrase.normalize(), salt, 32, work, (error, key) => (error ? reject(error) : resolve(key)))
  return promise
}

function nonceAt(base: Uint8Array, index: number): Buffer {
  const nonce = Buffer.from(base)
  nonce.writeUInt32BE((nonce.readUInt32BE(8) ^ index) >>> 0, 8)
  return nonce
}

/** AES-256-GCM in chunks. The last chunk is marked, so a truncated file is detected. */
async function* seal(source: AsyncIterable<Uint8Array>, passphrase: string): AsyncGenerator<Uint8Array> {
  const [salt, base] = [randomBytes(saltBytes), randomBytes(nonceBytes)]
  const key = await keyOf(passphrase, salt)
  yield Buffer.concat([mark, salt, base])
  let index = 0
  const piece = (plain: Uint8Array, isLast: boolean) => {
    const cipher = createCipheriv('aes-256-gcm', key, nonceAt(base, index++))
    const head = headOf(plain.length, isLast)
    cipher.setAAD(head)
    return Buffer.concat([head, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  }
  let waiting = Buffer.alloc(0)
  for await (const chunk of source) {
    waiting = Buffer.concat([waiting, chunk])
    while (waiting.length > chunkBytes) {
      yield piece(waiting.subarray(0, chunkBytes), false)
      waiting = waiting.subarray(chunkBytes)
    }
  }
  yield piece(waiting, true)
}

function headOf(length: number, isLast: boolean): Buffer {
  const head = Buffer.alloc(headBytes)
  head.writeUInt32BE(length)
  head[4] = isLast ? 1 : 0
  return head
}

export const sealedBytes = (bytes: number): number =>
  mark.length + saltBytes + nonceBytes + bytes + Math.max(1, Math.ceil(bytes / chunkBytes)) * (headBytes + tagBytes)

async function* unseal(read: (bytes: number) => Promise<Buffer>, passphrase: string): AsyncGenerator<Uint8Array> {
  const [salt, base] = [await read(saltBytes), await read(nonceBytes)]
  const key = await keyOf(passphrase, salt)
  for (let index = 0, isLast = false; !isLast; index += 1) {
    const head = await read(headBytes)
    const length = head.readUInt32BE()
    if (length > chunkBytes) throw new Error('The file is damaged.')
    isLast = head[4] === 1
    const decipher = createDecipheriv('aes-256-gcm', key, nonceAt(base, index))
    decipher.setAAD(head)
    const [text, tag] = [await read(length), await read(tagBytes)]
    decipher.setAuthTag(tag)
    yield openPiece(decipher, text, index)
  }
}

function openPiece(decipher: DecipherGCM, text: Buffer, index: number): Buffer {
  try {
    return Buffer.concat([decipher.update(text), decipher.final()])
  } catch {
    if (index === 0) throw new WrongPassphrase('That’s the wrong passphrase for this file, or the file is damaged.')
    throw new Error('The file is damaged.')
  }
}

/** Writes a file only this user can read, atomically: under another name first, and flushed to disk before the rename. */
export async function writeSealedFile(
  path: string,
  source: AsyncIterable<Uint8Array>,
  { passphrase, partial }: { passphrase: string | null; partial: string },
): Promise<void> {
  const descriptor = openSync(partial, 'w', 0o600)
  try {
    for await (const chunk of passphrase === null ? source : seal(source, passphrase)) {
      for (let at = 0; at < chunk.length; ) at += writeSync(descriptor, chunk, at)
    }
    fsyncSync(descriptor)
  } catch (error) {
    closeSync(descriptor)
    rmSync(partial, { force: true })
    throw error
  }
  closeSync(descriptor)
  renameSync(partial, path)
}

export async function isSealed(path: string): Promise<boolean> {
  return mark.equals(Buffer.from(await Bun.file(path).slice(0, mark.length).arrayBuffer()))
}

export async function* readSealedFile(path: string, passphrase: string | null): AsyncGenerator<Uint8Array> {
  if (!(await isSealed(path))) {
    yield* Bun.file(path).stream()
    return
  }
  if (passphrase === null) throw new WrongPassphrase('This file is encrypted. Give its passphrase.')
  const chunks = Bun.file(path).slice(mark.length).stream()[Symbol.asyncIterator]()
  let rest = Buffer.alloc(0)
  const read = async (bytes: number) => {
    while (rest.length < bytes) {
      const next = await chunks.next()
      if (next.done) throw new Error('The file is cut off.')
      rest = Buffer.concat([rest, next.value])
    }
    const taken = rest.subarray(0, bytes)
    rest = rest.subarray(bytes)
    return taken
  }
  yield* unseal(read, passphrase)
}
