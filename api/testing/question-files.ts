import sharp from 'sharp'
import * as v from 'valibot'
import { NewQuestionFile } from '#shared/contract/questions.ts'

/* Photos and voice notes as phones make them, written by hand where a browser would record. */

/** A sideways photo that says where it was taken. */
export const photoOf = (
  width = 1200,
  height = 900,
  format: 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' = 'jpeg',
): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#aa2211' } })
    .toFormat(format)
    .withMetadata({ orientation: 6 })
    .withExifMerge({
      IFD0: { Artist: 'Danny' },
      IFD3: { GPSLatitude: '53/1 47/1 0/1', GPSLatitudeRef: 'N' },
    })
    .toBuffer()

const vint = (value: number, length: number) => {
  const bytes = Buffer.alloc(length)
  bytes.writeUIntBE(value, 0, length)
  bytes[0] = (bytes[0] ?? 0) | (0x80 >> (length - 1))
  return bytes
}
const hex = (text: string) => Buffer.from(text, 'hex')
const element = (id: string, ...content: Buffer[]) => {
  const body = Buffer.concat(content)
  return Buffer.concat([hex(id), vint(body.length, 4), body])
}
/** Lasts until the next of its kind, as a browser writes what it's still recording. */
const open = (id: string, ...content: Buffer[]) => Buffer.concat([hex(id), hex('01ffffffffffffff'), ...content])

/** A packet of Opus that lasts 20 ms. */
const packet = hex('0800ff')

/** A recording of Chromium: Opus in WebM, a cluster for each second, nothing says how long it is. `codec` and `type` make others. */
export function webmOf(seconds: number, { codec = 'A_OPUS', type = 2 } = {}): Buffer {
  const clusters = Array.from({ length: Math.ceil(seconds) }, (_, second) => {
    const packets = Math.min(50, Math.round((seconds - second) * 50))
    const blocks = Array.from({ length: packets }, (_block, at) => {
      const head = Buffer.concat([vint(1, 1), Buffer.alloc(3)])
      head.writeInt16BE(at * 20, 1)
      return element('a3', head, packet)
    })
    const time = Buffer.alloc(4)
    time.writeUInt32BE(second * 1000)
    return open('1f43b675', element('e7', time), ...blocks)
  })
  const track = element(
    'ae',
    element('d7', hex('01')),
    element('83', Buffer.from([type])),
    element('86', Buffer.from(codec)),
  )
  return Buffer.concat([
    element('1a45dfa3', element('4282', Buffer.from('webm'))),
    open('18538067', element('1549a966', element('2ad7b1', hex('0f4240'))), element('1654ae6b', track), ...clusters),
  ])
}

const number = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4)
  return bytes
}
const box = (type: string, ...content: Buffer[]) => {
  const body = Buffer.concat(content)
  return Buffer.concat([number(body.length + 8), Buffer.from(type, 'latin1'), body])
}

/** A recording of Safari: AAC in MP4, a fragment for each second, and an index that lists nothing. */
export function mp4Of(seconds: number, { handler = 'soun', codec = 'mp4a', timescale = 48_000 } = {}): Buffer {
  const sample = 1024
  const media = box(
    'mdia',
    box('mdhd', number(0, 0, 0, timescale, 0, 0)),
    box('hdlr', number(0, 0), Buffer.from(handler), number(0, 0, 0)),
    box('minf', box('stbl', box('stsd', number(0, 1), box(codec, number(0, 0, 0))), box('stts', number(0, 0)))),
  )
  const index = box('moov', box('trak', media), box('mvex', box('trex', number(0, 1, 1, sample, 0, 0))))
  let left = Math.round((seconds * timescale) / sample)
  const fragments: Buffer[] = []
  while (left > 0) {
    const samples = Math.min(left, Math.round(timescale / sample))
    left -= samples
    const run = box('trun', number(0x201, samples, 0, ...Array.from({ length: samples }, () => 4)))
    fragments.push(box('moof', box('traf', box('tfhd', number(0, 1)), run)), box('mdat', Buffer.alloc(samples * 4, 7)))
  }
  return Buffer.concat([box('ftyp', Buffer.from('iso5')), index, ...fragments])
}

/** As a phone announces it with its message. */
export const announcementOf = (id: string, kind: 'photo' | 'voice', bytes: Uint8Array): NewQuestionFile =>
  v.parse(NewQuestionFile, {
    id,
    kind,
    bytes: bytes.length,
    sha256: new Bun.CryptoHasher('sha256').update(bytes).digest('hex'),
  })
