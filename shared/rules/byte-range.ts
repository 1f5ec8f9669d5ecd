/** The requested first and last byte, both included. */
export type ByteRange = { first: number; last: number }

const oneRange = /^bytes=(\d*)-(\d*)$/

/** `Range` (RFC 9110, section 14). Null sends the whole, also for several ranges. `unsatisfiable` becomes 416. */
export function readByteRange(header: string | null, size: number): ByteRange | 'unsatisfiable' | null {
  const [, from = '', to = ''] = oneRange.exec(header?.replaceAll(' ', '') ?? '') ?? []
  if (from === '' && to === '') return null
  if (from === '') {
    const length = Math.min(Number(to), size)
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 }
  }
  const [first, last] = [Number(from), to === '' ? size - 1 : Math.min(Number(to), size - 1)]
  if (to !== '' && Number(to) < first) return null
  return first >= size ? 'unsatisfiable' : { first, last }
}

export const contentRange = ({ first, last }: ByteRange, size: number) => `bytes ${first}-${last}/${size}`
