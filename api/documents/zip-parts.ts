import { Readable } from 'node:stream'

/** `parts` are read one after the other, on demand. Videos and pictures are `packed` already, and aren't packed again. */
export type ZipFile = { name: string; parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>; isPacked?: boolean }

/** A ZIP, streamed: only a few parts of one file are in memory, however large the whole is. */
export async function* zipParts(files: AsyncIterable<ZipFile>): AsyncGenerator<Uint8Array, void> {
  const { ZipFile } = await import('yazl')
  const zip = new ZipFile()
  const failed = Promise.withResolvers<never>()
  // It may fail while no one waits for the next part.
  failed.promise.catch(() => {})
  zip.on('error', failed.reject)
  const state: State = { isStopped: false, input: null }
  const adding = addFiles(zip, files, state).catch(failed.reject)
  const output = Readable.from(zip.outputStream)
  const parts: AsyncIterator<Uint8Array, void> = output[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { value, done } = await Promise.race([parts.next(), failed.promise])
      if (done) return
      yield value
    }
  } finally {
    // If the download was broken off, files are still open.
    state.isStopped = true
    state.input?.destroy()
    output.destroy()
    await adding
  }
}

/** What a synchronous iterator throws, a stream would pass on to nobody. */
async function* inTurns(parts: ZipFile['parts']): AsyncGenerator<Uint8Array> {
  yield* parts
}

type State = { isStopped: boolean; input: Readable | null }
type Zip = InstanceType<typeof import('yazl').ZipFile>

/** One after the other: the next file isn't opened before this one is read. */
async function addFiles(zip: Zip, files: AsyncIterable<ZipFile>, state: State): Promise<void> {
  for await (const { name, parts, isPacked = false } of files) {
    if (state.isStopped) return
    const read = Promise.withResolvers<void>()
    const input = Readable.from(inTurns(parts), { objectMode: false })
    // It's read ahead, so it may fail before the ZIP comes to it and listens. Nobody listening, the process would end.
    input.once('error', read.reject)
    input.once('close', read.resolve)
    state.input = input
    zip.addReadStream(input, name, { compress: !isPacked })
    await read.promise
  }
  zip.end()
}
