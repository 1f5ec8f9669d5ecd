/* The encoding of a text whose program didn't say. */

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'macintosh'

/** By its byte order mark, or by its zeros: in UTF-16 every second byte of English is one, and no text has them otherwise. */
export function wideEncoding(start: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const [first, second] = start
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  const zeros = { even: 0, odd: 0 }
  for (const [at, byte] of start.entries()) if (byte === 0) zeros[at % 2 === 0 ? 'even' : 'odd'] += 1
  if (zeros.even + zeros.odd < start.length / 4 || start.length === 0) return null
  return zeros.odd > zeros.even ? 'utf-16le' : 'utf-16be'
}

/** What no one writes: a capital in or alone between small letters, marks of mathematics, controls, quotes and dashes within a word. */
const odd = /[a-zß-ÿ][À-ÞŠŸŽ]|\s[À-ÞŠŸŽ](?=\s)|[\u0080-\u009F†‡ˆ‰ƒ∂∆Ω≈√∫π∏∑◊ˇ˘˙˚¸˝˛ıﬁﬂ¤¦¨ª¬¯]|[a-z][–‘“][a-z]/g

/** How odd the text would be. Of two encodings of one byte a letter, the text is in the one that makes it less so. */
export const oddities = (bytes: Uint8Array, encoding: Encoding): number =>
  new TextDecoder(encoding).decode(bytes).match(odd)?.length ?? 0

/** The text, read in whatever encoding it has, without a byte order mark. */
export function decodeText(bytes: Uint8Array): string {
  const wide = wideEncoding(bytes.subarray(0, 4096))
  if (wide !== null) return new TextDecoder(wide).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const isMac = oddities(bytes, 'macintosh') < oddities(bytes, 'windows-1252')
    return new TextDecoder(isMac ? 'macintosh' : 'windows-1252').decode(bytes)
  }
}
