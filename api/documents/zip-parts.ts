/** `parts` are read one after the other, on demand. */
export type ZipFile = { name: string; parts: Iterable<Uint8Array> }

/** A ZIP, streamed: only one part of one file is in memory, however large the whole is. */
export async function* zipParts(files: AsyncIterable<ZipFile>): AsyncGenerator<Uint8Array, void> {
  const { Zip, ZipDeflate } = await import('fflate')
  const ready: Uint8Array[] = []
  const zip = new Zip((error, part) => {
    if (error) throw error
    ready.push(part)
  })
  for await (const { name, parts } of files) {
    const entry = new ZipDeflate(name, { level: 6 })
    zip.add(entry)
    for (const part of parts) {
      entry.push(part)
      yield* ready.splice(0)
      await new Promise(setImmediate)
    }
    entry.push(new Uint8Array(), true)
    yield* ready.splice(0)
  }
  zip.end()
  yield* ready.splice(0)
}
