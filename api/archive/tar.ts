import { pipeline } from 'node:stream/promises'
import type { Pack } from 'tar-stream'

/** One file of an archive. `bytes` is the content's length, because the header comes first. */
export type ArchiveEntry = { name: string; bytes: number; content: AsyncIterable<Uint8Array> }

/** A plain tar that any `tar` reads. It's streamed, so it's never in memory as a whole. */
export async function* writeTar(entries: AsyncIterable<ArchiveEntry>): AsyncGenerator<Uint8Array> {
  const { pack } = await import('tar-stream')
  const tar = pack()
  fill(tar, entries).catch((error: Error) => tar.destroy(error))
  yield* bytesOf(tar)
}

async function fill(tar: Pack, entries: AsyncIterable<ArchiveEntry>): Promise<void> {
  for await (const { name, bytes, content } of entries)
    await pipeline(content, tar.entry({ name, size: bytes, mode: 0o600, mtime: new Date(0) }))
  tar.finalize()
}

/** The entries of a tar, in order. Read each one's content before the next. */
export async function* readTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<ArchiveEntry> {
  const { extract } = await import('tar-stream')
  const tar = extract()
  const failed = pipeline(source, tar).then(
    () => null,
    (error) => error,
  )
  for await (const entry of explained(tar, failed)) {
    const { name, size = 0 } = entry.header
    yield { name, bytes: size, content: explained(bytesOf(entry), failed) }
    entry.resume()
  }
}

async function* bytesOf(stream: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) if (chunk instanceof Uint8Array) yield chunk
}

/** The library's own errors are for programmers. Those of the source pass. */
async function* explained<Part>(parts: AsyncIterable<Part>, failed: Promise<unknown>): AsyncGenerator<Part> {
  try {
    yield* parts
  } catch (error) {
    // An entry may only say that it was destroyed.
    const cause = (await failed) ?? error
    const message = cause instanceof Error ? cause.message : ''
    if (message === 'Unexpected end of data') throw new Error('The archive is cut off.')
    throw /^(Invalid (tar )?header|Header exceeds)/.test(message) ? new Error('This isn’t an archive.') : cause
  }
}
