/** Zeros that some recorders and cutting programs leave at the beginning, and several tags, are read over up to here. */
const readBytes = 64 * 1024
const mostSteps = 64
/** A recording may begin in the middle of a frame, which has at most 1,441 bytes. */
const mostBroken = 2048
const frameHeadBytes = 4

/** Whether players find MP3 in a file that doesn't begin with it, nor with one tag. They read over what isn't sound, as we do. */
export async function isMp3(content: Blob): Promise<boolean> {
  const at = await soundStart(content)
  if (at === null) return false
  const bytes = Buffer.from(await content.slice(at, at + mostBroken + 3 * 1441).arrayBuffer())
  const most = Math.min(mostBroken, bytes.length - frameHeadBytes)
  for (let start = 0; start <= most; start += 1) if (areFrames(bytes, start)) return true
  return false
}

/** After zeros and tags; null if there's nothing else. */
async function soundStart(content: Blob): Promise<number | null> {
  let at = 0
  for (let step = 0; step < mostSteps; step += 1) {
    const bytes = Buffer.from(await content.slice(at, at + readBytes).arrayBuffer())
    if (bytes.length === 0) return null
    const zeros = bytes.findIndex((byte) => byte !== 0)
    if (zeros < 0) {
      at += bytes.length
      continue
    }
    at += zeros
    const size = tagBytes(Buffer.from(await content.slice(at, at + 32).arrayBuffer()))
    if (size === 0) return at
    at += size
  }
  return null
}

/** ID3v2 (https://id3.org/id3v2.4.0-structure) and APE at the front. 0 if none begins here. */
function tagBytes(head: Buffer): number {
  const name = head.toString('latin1', 0, 8)
  if (name.startsWith('ID3') && head.length >= 10) {
    const hasFoot = (head.readUInt8(5) & 0x10) !== 0
    return [6, 7, 8, 9].reduce((size, at) => size * 128 + (head.readUInt8(at) & 0x7f), 0) + (hasFoot ? 20 : 10)
  }
  return name === 'APETAGEX' && head.length === 32 ? head.readUInt32LE(12) + 32 : 0
}

/** Three in a row of one kind: one alone might be chance. */
function areFrames(bytes: Buffer, start: number): boolean {
  const kinds = new Set<string>()
  let at = start
  for (let count = 0; count < 3; count += 1) {
    if (at + frameHeadBytes > bytes.length) return false
    const frame = readFrame(bytes.readUInt32BE(at))
    if (frame === null) return false
    kinds.add(frame.kind)
    at += frame.bytes
  }
  return kinds.size === 1
}

const rates = [44_100, 48_000, 32_000]
const newer = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const older = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]

/** A frame of layer III by its first four bytes. */
function readFrame(head: number): { kind: string; bytes: number } | null {
  const [version, layer] = [(head >>> 19) & 3, (head >>> 17) & 3]
  if (head >>> 21 !== 0x7ff || version === 1 || layer !== 1) return null
  const isNewer = version === 3
  const kilobits = (isNewer ? newer : older)[((head >>> 12) & 15) - 1]
  const rate = rates[(head >>> 10) & 3]
  if (kilobits === undefined || rate === undefined) return null
  const hertz = rate / (isNewer ? 1 : version === 2 ? 2 : 4)
  const padding = (head >>> 9) & 1
  return {
    kind: `${version} ${hertz}`,
    bytes: Math.floor(((isNewer ? 144 : 72) * kilobits * 1000) / hertz) + padding,
  }
}
