/** What browsers play. */
const playedTypes = {
  mp4: 'video/mp4',
  webm: 'video/webm',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  ogg: 'audio/ogg',
} as const

const office = 'application/vnd.openxmlformats-officedocument'

/** The files that the media store takes, by the ending of their address, with the type that they are served as. */
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

/** What a file is to people. */
export function kindOfMedia(format: MediaFormat): MediaKind {
  if (format === 'vtt') return 'captions'
  const [kind] = mediaTypes[format].split('/')
  return kind === 'video' ? 'film' : kind === 'audio' ? 'sound' : kind === 'image' ? 'picture' : 'document'
}

const megabyte = 1024 ** 2

/** The most bytes that a file of a kind may have. A film may have 2 GiB. */
export const maxBytesOfKind: Record<MediaKind, number> = {
  film: 2048 * megabyte,
  sound: 512 * megabyte,
  captions: megabyte,
  picture: 30 * megabyte,
  document: 50 * megabyte,
}

/** 2 GiB. */
export const maxMediaBytes = 2 * 1024 ** 3

/** The clips that come with the software have ids of their own, the same on every site. */
export const isSampleClip = (id: string): boolean => id.startsWith('01940000-0000-7000-8000-')

/** The ids of the files whose addresses stand somewhere in a text. */
export const mediaNamedIn = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(/\/media\/([0-9a-f-]{36})\.\w/g)].map(([, id = '']) => id))

/** Whether a lesson can play it. */
export const isPlayable = (format: MediaFormat): boolean => format in playedTypes

/** What podcast directories and apps take; Apple takes no other. */
export const isPodcastSound = (format: MediaFormat): boolean => format === 'mp3' || format === 'm4a'

/** What podcast directories take as a picture. */
export const isPodcastPicture = (format: MediaFormat): boolean => format === 'jpg' || format === 'png'

/** What is wrong with the size of an episode's picture; null where directories take it. */
export const problemOfPodcastPicture = ({ width, height }: { width: number; height: number }): string | null =>
  width === height && width >= 1400 && width <= 3000
    ? null
    : `A podcast’s picture has to be square, 1,400 to 3,000 pixels a side. This one has ${width} × ${height}.`

/** What a picture is by its first bytes, not by what it is called; null where it is none of what cameras and editors make for pages. */
export function pictureType(bytes: Uint8Array): 'image/jpeg' | 'image/png' | 'image/webp' | null {
  const start = String.fromCharCode(...bytes.subarray(0, 12))
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  return start.startsWith('RIFF') && start.endsWith('WEBP') ? 'image/webp' : null
}

type Addressed = { id: string; format: MediaFormat; isPublic: boolean }

/** A public file is for everybody, a private one for the members whose tier has a lesson that plays it. */
export const mediaAddress = ({ id, format, isPublic }: Addressed): string =>
  `${isPublic ? '/media' : '/api/media'}/${id}.${format}`

const address = /^\/(?:api\/)?media\/[\w-]+\.(\w+)$/

/** The type of the film or sound at an address of the media store; null where the address is none of ours. */
export function mediaTypeAt(path: string): string | null {
  const ending = address.exec(path)?.[1]
  const types: Partial<Record<string, string>> = playedTypes
  return (ending === undefined ? undefined : types[ending]) ?? null
}

/** The address of a public picture that a browser can show. */
export const pictureAddress = /^\/media\/[\w-]+\.(jpg|png|webp)$/

const units = [
  [1e9, 'GB'],
  [1e6, 'MB'],
] as const

/** `1.4 MB`; under a tenth of one, kilobytes. */
export function formatBytes(bytes: number): string {
  for (const [size, name] of units)
    if (bytes >= size / 10) return `${(bytes / size).toFixed(bytes < 10 * size ? 1 : 0)} ${name}`
  return `${Math.ceil(bytes / 1_000)} kB`
}
