import { createReadStream } from 'node:fs'

/** The encoding of a text file, by its mark or else by what's in it. `start` is its beginning. */
export async function encodingOf(path: string, start: Buffer): Promise<string> {
  return marked(start) ?? wideOf(start) ?? ((await isUtf8(path)) ? 'utf-8' : singleByteOf(path))
}

const marked = ([first, second]: Buffer): string | null =>
  first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : null

/** In UTF-16 every second byte of English is 0, and no text has zeros otherwise. */
function wideOf(bytes: Buffer): string | null {
  const zeros = [0, 0]
  for (const [at, byte] of bytes.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (even + odd < bytes.length / 4) return null
  return odd > even ? 'utf-16le' : 'utf-16be'
}

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
async function singleByteOf(path: string): Promise<string> {
  let [mac, windows] = [0, 0]
  for await (const bytes of createReadStream(path)) {
    mac += oddities(bytes, 'macintosh')
    windows += oddities(bytes, 'windows-1252')
  }
  return mac < windows ? 'macintosh' : 'windows-1252'
}

/** What no one writes: a capital in or alone between small letters, marks of mathematics, controls, quotes and dashes within a word. */
const odd = /[a-zß-ÿ][À-ÞŠŸŽ]|\s[À-ÞŠŸŽ](?=\s)|[\u0080-\u009F†‡ˆ‰ƒ∂∆Ω≈√∫π∏∑◊ˇ˘˙˚¸˝˛ıﬁﬂ¤¦¨ª¬¯]|[a-z][–‘“][a-z]/g

const oddities = (bytes: Uint8Array, encoding: string) =>
  new TextDecoder(encoding).decode(bytes).match(odd)?.length ?? 0
