import * as v from 'valibot'
import { requestKnownHost } from '#api/outside-request.ts'
import type { HostedVideo } from '#shared/contract/admin-video.ts'
import { pictureType } from '#shared/values/media.ts'

type Host = {
  oembed: string
  /** A video's public page, which we ask the host about. */
  page: (id: string) => string
  /** Where the host keeps its thumbnails. We fetch none from elsewhere. */
  pictures: readonly string[]
}

export type VideoHosts = { wistia: Host; youtube: Host }

/** The only hosts we ever request. StreamYard has no oEmbed. */
export const knownVideoHosts: VideoHosts = {
  wistia: {
    oembed: 'https://fast.wistia.com/oembed',
    page: (id) => `https://home.wistia.com/medias/${id}`,
    pictures: ['https://embed-ssl.wistia.com', 'https://embed.wistia.com', 'https://fast.wistia.com'],
  },
  youtube: {
    oembed: 'https://www.youtube.com/oembed',
    page: (id) => `https://www.youtube.com/watch?v=${id}`,
    pictures: ['https://i.ytimg.com'],
  },
}

const Description = v.object({
  title: v.optional(v.string()),
  /** Seconds. */
  duration: v.optional(v.number()),
  thumbnail_url: v.optional(v.string()),
})

type Described = Omit<HostedVideo, 'isAnswered'>

/**
 * What a host says about one of its videos. `id` has that host's form. `unknown`: the video doesn't exist or is private. Null: no
 * description came within the time and size limits.
 */
export async function readHostedVideo(host: Host, id: string): Promise<Described | 'unknown' | null> {
  const address = new URL(host.oembed)
  address.searchParams.set('url', host.page(id))
  address.searchParams.set('format', 'json')
  const response = await requestKnownHost(address)
  if (response === null) return null
  if ([400, 401, 403, 404].includes(response.status)) return 'unknown'
  const description = response.status === 200 ? v.safeParse(Description, parseJson(response.bytes)) : null
  if (!description?.success) return null
  const { title, duration, thumbnail_url: picture } = description.output
  return {
    title: oneLine(title),
    duration: duration !== undefined && duration > 0 && duration < 86_400 ? minutesOf(duration) : null,
    picture: picture === undefined ? null : await readPicture(host, picture),
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: taking them out is the point
const hidden = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g

function oneLine(text: string | undefined): string | null {
  const line = (text ?? '').replace(hidden, ' ').replace(/\s+/g, ' ').trim().slice(0, 200).toWellFormed()
  return line === '' ? null : line
}

/** Rounded to minutes, except that clips under a minute keep their seconds. */
const minutesOf = (seconds: number) =>
  seconds < 60 ? Math.round((seconds / 60) * 100) / 100 : Math.round(seconds / 60)

/** The thumbnail as a `data:` URL, so the owner's browser doesn't contact the host. Null if it isn't a picture. */
async function readPicture(host: Host, address: string): Promise<string | null> {
  if (!URL.canParse(address) || !host.pictures.includes(new URL(address).origin)) return null
  const response = await requestKnownHost(new URL(address))
  if (response?.status !== 200) return null
  const type = pictureType(response.bytes)
  return type === null ? null : `data:${type};base64,${Buffer.from(response.bytes).toString('base64')}`
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return null
  }
}
