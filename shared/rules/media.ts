/** The files that the media store takes, by the ending of their address, with the type that they are served as. */
export const mediaTypes = {
  mp4: 'video/mp4',
  webm: 'video/webm',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  ogg: 'audio/ogg',
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
  pdf: 'application/pdf',
} as const

export type MediaFormat = keyof typeof mediaTypes

export const mediaFormats = Object.keys(mediaTypes) as [MediaFormat, ...MediaFormat[]]

/** 2 GiB. */
export const maxMediaBytes = 2 * 1024 ** 3

/** The clips that come with the software have ids of their own, the same on every site. */
export const isSampleClip = (id: string): boolean => id.startsWith('01940000-0000-7000-8000-')

/** The ids of the files whose addresses stand somewhere in a text. */
export const mediaNamedIn = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(/\/media\/([0-9a-f-]{36})\.\w/g)].map(([, id = '']) => id))

/** Whether a lesson can play it. */
export const isPlayable = (format: MediaFormat): boolean => /^(video|audio)\//.test(mediaTypes[format])

type Addressed = { id: string; format: MediaFormat; isPublic: boolean }

/** A public file is for everybody, a private one for the members whose tier has a lesson that plays it. */
export const mediaAddress = ({ id, format, isPublic }: Addressed): string =>
  `${isPublic ? '/media' : '/api/media'}/${id}.${format}`

const address = /^\/(?:api\/)?media\/[\w-]+\.(\w+)$/

/** The type of the file at an address of the media store; null where the address is none of ours. */
export function mediaTypeAt(path: string): string | null {
  const ending = address.exec(path)?.[1]
  const types: Partial<Record<string, string>> = mediaTypes
  return (ending === undefined ? undefined : types[ending]) ?? null
}

/** The address of a public picture that a browser can show. */
export const pictureAddress = /^\/media\/[\w-]+\.(jpg|png|webp)$/
