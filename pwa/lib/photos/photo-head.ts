/** What the first bytes of a file say that it is. */
export type PhotoHead = {
  kind: 'jpeg' | 'png' | 'webp' | 'gif' | 'heic' | 'avif' | 'other'
  /** As stored, before it's turned upright. Null if they aren't in what was read. */
  size: { width: number; height: number } | null
  /** The photo lies on its side: width and height change places. */
  isTurned: boolean
}

/** Enough of a file for its size: a camera's small preview stands before it. */
export const headBytes = 256 * 1024

/** Read before anything decodes the file, so that one that would fill the memory is never opened. */
export function readPhotoHead(bytes: Uint8Array<ArrayBuffer>): PhotoHead {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const text = (from: number, length: number) => String.fromCharCode(...bytes.subarray(from, from + length))
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return { kind: 'jpeg', ...readJpeg(view) }
  if (text(1, 3) === 'PNG') return { kind: 'png', size: sizeAt(view, 16, 20), isTurned: false }
  if (text(0, 4) === 'RIFF' && text(8, 4) === 'WEBP') return { kind: 'webp', size: webpSize(view), isTurned: false }
  if (text(0, 4) === 'GIF8') return { kind: 'gif', size: littleSize(view, 6), isTurned: false }
  const brand = text(4, 4) === 'ftyp' ? text(8, 4) : ''
  if (/^(hei|hev|mif1|msf1)/.test(brand)) return { kind: 'heic', size: null, isTurned: false }
  if (/^avi[fs]$/.test(brand)) return { kind: 'avif', size: null, isTurned: false }
  return { kind: 'other', size: null, isTurned: false }
}

function sizeAt(view: DataView, width: number, height: number) {
  return view.byteLength < height + 4 ? null : { width: view.getUint32(width), height: view.getUint32(height) }
}

const littleSize = (view: DataView, at: number) =>
  view.byteLength < at + 4 ? null : { width: view.getUint16(at, true), height: view.getUint16(at + 2, true) }

function webpSize(view: DataView) {
  if (view.byteLength < 30) return null
  const form = view.getUint8(15)
  // VP8X, with one less than each in three bytes.
  if (form === 0x58) {
    const three = (at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 0x10000 + 1
    return { width: three(24), height: three(27) }
  }
  if (form === 0x4c) {
    const bits = view.getUint32(21, true)
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
  }
  return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
}

const exifMarker = 0xe1

function readJpeg(view: DataView): Pick<PhotoHead, 'size' | 'isTurned'> {
  let isTurned = false
  for (let at = 2; at + 9 < view.byteLength && view.getUint8(at) === 0xff; ) {
    const marker = view.getUint8(at + 1)
    const isSize = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isSize) return { size: { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }, isTurned }
    const length = view.getUint16(at + 2)
    if (marker === exifMarker) isTurned ||= isTurnedBy(view, at + 4, at + 2 + length)
    at += 2 + length
  }
  return { size: null, isTurned }
}

const orientationTag = 0x0112

/** Exif's orientations from 5 to 8 are those of a photo on its side. */
function isTurnedBy(view: DataView, from: number, end: number): boolean {
  const tiff = from + 6
  if (end > view.byteLength || tiff + 8 > end || view.getUint32(from) !== 0x45786966) return false
  const isLittle = view.getUint16(tiff) === 0x4949
  const entries = tiff + view.getUint32(tiff + 4, isLittle)
  if (entries + 2 > end) return false
  for (let index = 0; index < view.getUint16(entries, isLittle); index += 1) {
    const entry = entries + 2 + index * 12
    if (entry + 12 > end) return false
    if (view.getUint16(entry, isLittle) === orientationTag) return view.getUint16(entry + 8, isLittle) >= 5
  }
  return false
}
