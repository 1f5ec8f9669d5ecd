import { deflateRawSync } from 'node:zlib'

export const addBoxes = (boxes: readonly (readonly [name: string, content: string | Uint8Array])[]): Buffer =>
  Buffer.concat(
    boxes.flatMap(([name, content]) => {
      const body = Buffer.from(content)
      const head = Buffer.alloc(8)
      head.writeUInt32BE(body.length + 8)
      head.write(name, 4, 'latin1')
      return [head, body]
    }),
  )

/** A valid video file of so many bytes, varied by `seed`. It can't be played. */
export function videoFileOf(bytes: number, seed: number): Buffer {
  const head = addBoxes([
    ['ftyp', 'isom\0\0\x02\0isomiso2'],
    ['moov', `seed ${seed}`],
  ])
  const content = Buffer.alloc(bytes - head.length - 8)
  for (let at = 0; at < content.length; at += 1) content[at] = (at * 31 + seed * 7 + (at >> 8)) & 0xff
  return Buffer.concat([head, addBoxes([['mdat', content]])])
}

/** One track of a video file's index, of pictures or sound. Its codec is a code such as `avc1`, and H.264 has a profile's number. */
export function trackOf(kind: 'vide' | 'soun', codec: string, profile?: number): Buffer {
  const setup = profile === undefined ? Buffer.alloc(0) : addBoxes([['avcC', Buffer.from([1, profile, 0, 40])]])
  const sample = addBoxes([[codec.padEnd(4), Buffer.concat([Buffer.alloc(78), setup])]])
  const table = addBoxes([['stsd', Buffer.concat([Buffer.from('\0\0\0\0\0\0\0\x01'), sample])]])
  const media = addBoxes([
    ['hdlr', `\0\0\0\0\0\0\0\0${kind}${'\0'.repeat(13)}`],
    ['minf', addBoxes([['stbl', table]])],
  ])
  return addBoxes([['trak', addBoxes([['mdia', media]])]])
}

const mainParts = {
  docx: ['word/document.xml', 'wordprocessingml.document.main+xml'],
  docm: ['word/document.xml', 'application/vnd.ms-word.document.macroEnabled.main+xml'],
  xlsx: ['xl/workbook.xml', 'spreadsheetml.sheet.main+xml'],
  pptx: ['ppt/presentation.xml', 'presentationml.presentation.main+xml'],
} as const

/** An empty Office document. As a bomb it claims to be small and unpacks to 300 MB. */
export function officeFile(kind: keyof typeof mainParts, { bomb = false } = {}): Buffer {
  const [path, type] = mainParts[kind]
  const full = type.startsWith('application/') ? type : `application/vnd.openxmlformats-officedocument.${type}`
  const types = `<?xml version="1.0"?><Types><Override PartName="/${path}" ContentType="${full}"/></Types>`
  return zipOf([
    ['[Content_Types].xml', Buffer.from(types)],
    [path, bomb ? Buffer.alloc(300 * 1024 ** 2) : Buffer.from('<x/>')],
  ])
}

function zipOf(files: readonly (readonly [name: string, content: Buffer])[]): Buffer {
  const [parts, folder]: Buffer[][] = [[], []]
  let at = 0
  for (const [name, content] of files) {
    const packed = deflateRawSync(content)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50)
    local.writeUInt16LE(8, 8)
    local.writeUInt32LE(packed.length, 18)
    local.writeUInt32LE(Math.min(content.length, 99), 22)
    local.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt32LE(Math.min(content.length, 99), 24)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(at, 42)
    parts?.push(local, Buffer.from(name), packed)
    folder?.push(entry, Buffer.from(name))
    at += 30 + name.length + packed.length
  }
  const listed = Buffer.concat(folder ?? [])
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...(parts ?? []), listed, end])
}
