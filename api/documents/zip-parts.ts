import { Readable } from 'node:stream'

/** `parts` are read one after the other, on demand. Films and pictures are `packed` already, and aren't packed again. */
export type ZipFile = { name: string; parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>; isPacked?: boolean }

/** A ZIP, streamed: only a few parts of one file are in memory, however large the whole is. */
export async function* zipParts(files: AsyncIterable<ZipFile>): AsyncGenerator<Uint8Array, void> {
  const { ZipFile } = await import('yazl')
  const zip = new ZipFile()
  const output = Readable.from(zip.outputStream)
  const fail = (error: unknown) => void output.destroy(error instanceof Error ? error : new Error(String(error)))
  zip.on('error', fail)
  const state: State = { isStopped: false, input: null }
  const adding = addFiles(zip, files, state).catch(fail)
  try {
    yield* output
  } finally {
    // If the download was broken off, files are still open.
    state.isStopped = true
    state.input?.destroy()
    await adding
  }
}

/** What a synchronous iterator throws, a stream would pass on to nobody, and the process would end. */
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
    input.once('close', () => (input.errored === null ? read.resolve() : read.reject(input.errored)))
    state.input = input
    zip.addReadStream(input, name, { compress: !isPacked })
    await read.promise
  }
  zip.end()
}
