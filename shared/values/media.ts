const playedTypes = {
  mp4: 'video/mp4',
  webm: 'video/webm',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  ogg: 'audio/ogg',
} as const

const office = 'application/vnd.openxmlformats-officedocument'

/** The files the media store accepts, by extension, and the content type we serve each as. */
export const mediaTypes = {
  ...playedTypes,
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
  pdf: 'application/pdf',
  docx: `${office}.wordprocessingml.document`,
  xlsx: `${office}.spreadsheetml.sheet`,
  pptx: `${office}.presentationml.presentation`,
  vtt: 'text/vtt; charset=utf-8',
} as const

export type MediaFormat = keyof typeof mediaTypes

export const mediaFormats = Object.keys(mediaTypes) as [MediaFormat, ...MediaFormat[]]

export const mediaKinds = ['film', 'sound', 'captions', 'picture', 'document'] as const
export type MediaKind = (typeof mediaKinds)[number]

export function kindOfMedia(format: MediaFormat): MediaKind {
  if (format === 'vtt') return 'captions'
  const [kind] = mediaTypes[format].split('/')
  return kind === 'video' ? 'film' : kind === 'audio' ? 'sound' : kind === 'image' ? 'picture' : 'document'
}

const megabyte = 1024 ** 2

/** The size limit for each kind, in bytes. A video may have 2 GiB. */
export const maxBytesOfKind: Record<MediaKind, number> = {
  film: 2048 * megabyte,
  sound: 512 * megabyte,
  captions: megabyte,
  picture: 30 * megabyte,
  document: 50 * megabyte,
}

/** How much of a video or sound a phone fetches and checks at once. */
export const pieceBytes = 4 * megabyte

export const maxMediaBytes = 2 * 1024 ** 3

/** The sample clips that come with the software have fixed ids, the same on every site. */
export const isSampleClip = (id: string): boolean => id.startsWith('01940000-0000-7000-8000-')

export const mediaNamedIn = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(/\/media\/([0-9a-f-]{36})\.\w/g)].map(([, id = '']) => id))

export const filesIn = (addresses: readonly string[]): string[] => [...mediaNamedIn(addresses.join(' '))]

export const handoutsIn = ({ address, title }: { address: string; title: string }) =>
  filesIn([address]).map((file) => ({ file, title }))

export const isPlayable = (format: MediaFormat): boolean => format in playedTypes

/** What podcast directories and apps accept; Apple accepts nothing else. */
export const isPodcastSound = (format: MediaFormat): boolean => format === 'mp3' || format === 'm4a'

export const isPodcastPicture = (format: MediaFormat): boolean => format === 'jpg' || format === 'png'

/** What's wrong with an episode picture's size; null if directories accept it. */
export const problemOfPodcastPicture = ({ width, height }: { width: number; height: number }): string | null =>
  width === height && width >= 1400 && width <= 3000
    ? null
    : `A podcast’s picture has to be square, 1,400 to 3,000 pixels a side. This one has ${width} × ${height}.`

/** A picture's type from its first bytes, whatever its name says; null for anything but the usual web formats. */
export function pictureType(bytes: Uint8Array): 'image/jpeg' | 'image/png' | 'image/webp' | null {
  const start = String.fromCharCode(...bytes.subarray(0, 12))
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  return start.startsWith('RIFF') && start.endsWith('WEBP') ? 'image/webp' : null
}

type Addressed = { id: string; format: MediaFormat; isPublic: boolean }

/** Anyone can load a public file. A private one is for members whose tier has a video that plays it. */
export const mediaAddress = ({ id, format, isPublic }: Addressed): string =>
  `${isPublic ? '/media' : '/api/media'}/${id}.${format}`

/** A kept video's address is answered by the phone itself. */
const address = /^\/(?:(?:api\/)?media|kept)\/[\w-]+\.(\w+)$/

/** The content type of the video or audio at a media address; null if it isn't one of ours. */
export function mediaTypeAt(path: string): string | null {
  const ending = address.exec(path)?.[1]
  const types: Partial<Record<string, string>> = playedTypes
  return (ending === undefined ? undefined : types[ending]) ?? null
}

export const pictureAddress = /^\/media\/[\w-]+\.(jpg|png|webp)$/

const units = [
  [1e9, 'GB'],
  [1e6, 'MB'],
] as const

/** `1.4 MB`, or kilobytes below 0.1 MB. */
export function formatBytes(bytes: number): string {
  for (const [size, name] of units)
    if (bytes >= size / 10) return `${(bytes / size).toFixed(bytes < 10 * size ? 1 : 0)} ${name}`
  return `${Math.ceil(bytes / 1_000)} kB`
}
