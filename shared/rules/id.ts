const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

export const idRandomBytes = 10

/** Whether a text is a lower-case UUIDv7, the only form of id we accept. */
export const isUuidV7 = (text: string): boolean => pattern.test(text)

/** A UUID of RFC 9562, version 7: 48 bits of `ms` since 1970, then 74 of the 80 random bits. */
export function uuidV7(ms: number, random: Uint8Array): string {
  const time = Math.min(Math.max(Math.trunc(ms), 0), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, '0')
  const byte = (index: number) => random[index] ?? 0
  const tail = [(byte(0) & 0x0f) | 0x70, byte(1), (byte(2) & 0x3f) | 0x80, ...random.subarray(3, idRandomBytes)]
  const hex = time + tail.map((value) => value.toString(16).padStart(2, '0')).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
}

/** A reference you can read out on the phone, such as `3C4D-5E6F`. It's the end of the id, which is random. */
export function shortReference(id: string): string {
  const tail = id.slice(-8).toUpperCase()
  return `${tail.slice(0, 4)}-${tail.slice(4)}`
}

export const isShortReference = (text: string): boolean => /^[0-9a-f]{4}-[0-9a-f]{4}$/i.test(text)
