// Alternatives: tar-stream (brings a stream library) and Bun.Archive (keeps everything in memory). A header is 512 bytes.

/** One file of an archive. `bytes` is the content's length, because the header comes first. */
export type ArchiveEntry = { name: string; bytes: number; content: AsyncIterable<Uint8Array> }

const block = 512

/** A plain tar that any `tar` reads. It's streamed, so it's never in memory as a whole. */
export async function* writeTar(entries: AsyncIterable<ArchiveEntry>): AsyncGenerator<Uint8Array> {
  for await (const { name, bytes, content } of entries) {
    yield headerOf(name, bytes)
    let written = 0
    for await (const chunk of content) {
      written += chunk.length
      yield chunk
    }
    if (written !== bytes) throw new Error(`${name} changed while it was archived.`)
    yield new Uint8Array(padding(bytes))
  }
  yield new Uint8Array(2 * block)
}

const padding = (bytes: number) => (block - (bytes % block)) % block

function headerOf(name: string, bytes: number): Uint8Array {
  const header = Buffer.alloc(block)
  if (Buffer.byteLength(name) > 100) throw new Error(`${name} is too long for an archive.`)
  header.write(name, 0)
  header.write('0000600\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  writeSize(header, bytes)
  header.write('00000000000\0', 136)
  header.write('        ', 148)
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** Eleven octal digits hold 8 GiB. Above that we use GNU's binary form. */
function writeSize(header: Buffer, bytes: number): void {
  const octal = bytes.toString(8)
  if (octal.length <= 11) {
    header.write(`${octal.padStart(11, '0')}\0`, 124)
    return
  }
  header[124] = 0x80
  header.writeBigUInt64BE(BigInt(bytes), 128)
}

const readSize = (header: Buffer): number =>
  header[124] === 0x80 ? Number(header.readBigUInt64BE(128)) : Number.parseInt(header.toString('latin1', 124, 135), 8)

/** The entries of a tar, in order. Read each one's content before the next. */
export async function* readTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<ArchiveEntry> {
  const input = createReader(source)
  for (;;) {
    const header = await input.exactly(block)
    if (header === null || header.every((byte) => byte === 0)) return
    const name = header.toString('utf8', 0, 100).replace(/\0.*$/s, '')
    const bytes = readSize(header)
    if (!Number.isSafeInteger(bytes) || bytes < 0) throw new Error('This isn’t an archive.')
    const state = { left: bytes }
    yield { name, bytes, content: input.upTo(state) }
    for await (const _ of input.upTo(state));
    if (padding(bytes) > 0) await input.exactly(padding(bytes))
  }
}

function createReader(source: AsyncIterable<Uint8Array>) {
  const chunks = source[Symbol.asyncIterator]()
  let rest: Uint8Array = new Uint8Array(0)
  const hasReadMore = async () => {
    const next = await chunks.next()
    if (!next.done) rest = rest.length === 0 ? next.value : Buffer.concat([rest, next.value])
    return !next.done
  }
  return {
    /** Exactly so many bytes, or null at the end. */
    async exactly(length: number): Promise<Buffer | null> {
      while (rest.length < length) if (!(await hasReadMore())) break
      if (rest.length === 0) return null
      if (rest.length < length) throw new Error('The archive is cut off.')
      const taken = Buffer.from(rest.subarray(0, length))
      rest = rest.subarray(length)
      return taken
    },
    async *upTo(state: { left: number }): AsyncGenerator<Uint8Array> {
      while (state.left > 0) {
        if (rest.length === 0 && !(await hasReadMore())) throw new Error('The archive is cut off.')
        const taken = rest.subarray(0, state.left)
        state.left -= taken.length
        rest = rest.subarray(taken.length)
        yield taken
      }
    },
  }
}
