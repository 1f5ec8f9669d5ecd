import { createReadStream } from 'node:fs'
import { type Encoding, oddities, wideEncoding } from '#shared/rules/encoding.ts'

/** The encoding of a text file. `start` is its beginning. */
export const encodingOf = async (path: string, start: Buffer): Promise<Encoding> =>
  wideEncoding(start) ?? ((await isUtf8(path)) ? 'utf-8' : singleByteOf(path))

/** The first accent may be on the last line, so the whole file is looked at. */
async function isUtf8(path: string): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const bytes of createReadStream(path)) decoder.decode(bytes, { stream: true })
    decoder.decode()
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

/** Excel on a Mac saves CSV as Mac Roman. Read as Windows-1252, “It’s” is “ItÕs” there and “café” is “cafŽ”, and the other way round. */
async function singleByteOf(path: string): Promise<Encoding> {
  let [mac, windows] = [0, 0]
  for await (const bytes of createReadStream(path)) {
    mac += oddities(bytes, 'macintosh')
    windows += oddities(bytes, 'windows-1252')
  }
  return mac < windows ? 'macintosh' : 'windows-1252'
}
