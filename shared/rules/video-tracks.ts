/* What plays a video isn't its ending but the codecs named in its boxes (ISO/IEC 14496-12). */

type Box = { type: string; start: number; end: number }

/** The boxes between two places of a file, without their heads. It ends at the first that can't be one. */
async function* boxesIn(file: Blob, from: number, to: number): AsyncGenerator<Box> {
  for (let at = from; at + 8 <= to; ) {
    const head = new DataView(await file.slice(at, at + 16).arrayBuffer())
    const short = head.getUint32(0)
    const isLong = short === 1 && head.byteLength === 16
    const size = short === 0 ? to - at : isLong ? Number(head.getBigUint64(8)) : short
    if (size < 8 || at + size > to) return
    yield { type: codeAt(head, 4), start: at + (isLong ? 16 : 8), end: at + size }
    at += size
  }
}

const codeAt = (view: DataView, at: number) =>
  String.fromCharCode(...[0, 1, 2, 3].map((next) => (at + next < view.byteLength ? view.getUint8(at + next) : 0)))

async function boxIn(
  file: Blob,
  { start, end }: Pick<Box, 'start' | 'end'>,
  path: readonly string[],
): Promise<Box | null> {
  const [type, ...rest] = path
  for await (const box of boxesIn(file, start, end))
    if (box.type === type) return rest.length === 0 ? box : boxIn(file, box, rest)
  return null
}

/** Four letters after that many bytes of a box. */
const codeIn = async (file: Blob, box: Box | null, at: number): Promise<string> =>
  box === null ? '' : codeAt(new DataView(await file.slice(box.start + at, box.start + at + 4).arrayBuffer()), 0)

/**
 * The codes of an MP4's or MOV's pictures and sounds, such as `avc1` and `mp4a`. Empty if it has no index. Of H.264 in a profile that
 * phones have no decoder for, it goes with its code, as in RFC 6381: `avc1.7a`.
 */
export type VideoTracks = { pictures: readonly string[]; sounds: readonly string[] }

export async function readTracks(file: Blob): Promise<VideoTracks> {
  const [pictures, sounds]: [string[], string[]] = [[], []]
  const index = await boxIn(file, { start: 0, end: file.size }, ['moov'])
  if (index === null) return { pictures, sounds }
  for await (const track of boxesIn(file, index.start, index.end)) {
    if (track.type !== 'trak') continue
    const handler = await codeIn(file, await boxIn(file, track, ['mdia', 'hdlr']), 8)
    const samples = await boxIn(file, track, ['mdia', 'minf', 'stbl', 'stsd'])
    const codec = await codeIn(file, samples, 12)
    if (!/^[ -~]{4}$/.test(codec)) continue
    if (handler === 'vide') pictures.push(codec + (samples === null ? '' : await deepProfileIn(file, samples)))
    if (handler === 'soun') sounds.push(codec)
  }
  return { pictures, sounds }
}

/** Profiles of H.264 with more than 8 bits a colour or more colour than 4:2:0, by their numbers in hexadecimal. */
const deepProfiles: Readonly<Record<string, string>> = {
  '6e': '10-bit',
  '7a': '10-bit 4:2:2',
  f4: '4:4:4',
  '2c': '4:4:4',
}

/** Bytes of the sample's own before the boxes within it. */
const sampleHeadBytes = 8 + 8 + 78

/** `.7a` of the first sample, if it's H.264 in one of those. Its profile is the second byte of its own box. */
async function deepProfileIn(file: Blob, { start, end }: Box): Promise<string> {
  const setup = await boxIn(file, { start: start + sampleHeadBytes, end }, ['avcC'])
  if (setup === null) return ''
  const [profile = 0] = new Uint8Array(await file.slice(setup.start + 1, setup.start + 2).arrayBuffer())
  const written = profile.toString(16).padStart(2, '0')
  return Object.hasOwn(deepProfiles, written) ? `.${written}` : ''
}

const playedPictures = ['avc1', 'avc3', 'av01', 'vp08', 'vp09']
const playedSounds = ['mp4a', 'Opus', 'fLaC', '.mp3']

/** Apple's devices show it, and some others. */
const isHevc = (codec: string) => /^(hvc1|hev1|dvh1|dvhe)$/.test(codec)

const depthOf = (codec: string): string | undefined => deepProfiles[/^avc[13]\.(..)$/.exec(codec)?.[1] ?? '']

/** Only some devices show it. */
export const isHardToShow = (codec: string): boolean => isHevc(codec) || depthOf(codec) !== undefined

const exportAs = 'Export it as MP4 with H.264 and AAC and upload that. HandBrake does it, and it’s free.'

const pictureNames: readonly [RegExp, string][] = [
  [/^mp4v$/, 'in an old format (mp4v)'],
  [/^(jpeg|mjp[ab])$/, 'Motion-JPEG'],
  [/^ap[a-z0-9]{2}$/, 'ProRes'],
  [/^[sh]263$/i, 'H.263'],
]
const soundNames: readonly [RegExp, string][] = [
  [/^[ae]c-3$/, 'Dolby'],
  [/^alac$/, 'Apple Lossless'],
  [/^sam[rw]$/, 'AMR'],
  [/^(sowt|twos|lpcm|ipcm|in24|in32|fl32|raw )$/, 'uncompressed'],
]
const nameOf = (names: readonly [RegExp, string][], codec: string) =>
  names.find(([pattern]) => pattern.test(codec))?.[1] ?? `“${codec.trim()}”`

/**
 * What members would miss, and what to do. `mayGo`: many devices do play it. Null if all of it plays everywhere. A file may have more
 * pictures than its own, such as its chapters’.
 */
export function problemOfTracks({ pictures, sounds }: VideoTracks): { mayGo: boolean; sentence: string } | null {
  const [picture, sound] = [pictures[0], sounds[0]]
  if (picture !== undefined && !pictures.some((one) => playedPictures.includes(one))) {
    const depth = pictures.map(depthOf).find((one) => one !== undefined)
    if (pictures.some(isHevc))
      return {
        mayGo: true,
        sentence: `This video is HEVC (H.265). Many phones and computers play it without a picture. ${exportAs} To film in H.264 with an iPhone, choose Settings, Camera, Formats, Most Compatible.`,
      }
    if (depth !== undefined)
      return {
        mayGo: true,
        sentence: `This video is ${depth}. Few phones can play that. Export it as MP4 with 8-bit H.264 (4:2:0) and upload that. HandBrake does it, and it’s free.`,
      }
    return {
      mayGo: false,
      sentence: `This video is ${nameOf(pictureNames, picture)}. Phones and computers play it without a picture. ${exportAs}`,
    }
  }
  if (sound === undefined || sounds.some((one) => playedSounds.includes(one))) return null
  const name = nameOf(soundNames, sound)
  return {
    mayGo: true,
    sentence:
      picture === undefined
        ? `This audio is ${name}. Many phones and computers can’t play it. Export it as MP3 and upload that.`
        : `This video’s sound is ${name}. Many phones and computers play it without sound. ${exportAs}`,
  }
}
