import * as v from 'valibot'
import { requestKnownHost } from '#api/outside-request.ts'
import type { HostedVideo } from '#shared/contract/admin-video.ts'
import { pictureType } from '#shared/rules/media.ts'

type Host = {
  /** Where the host describes its videos. */
  oembed: string
  /** The public page of a video, which is what the host is asked about. */
  page: (id: string) => string
  /** Where the host keeps its pictures; those of other places are not read. */
  pictures: readonly string[]
}

export type VideoHosts = { wistia: Host; youtube: Host }

/** The only places that are ever requested. StreamYard describes no videos. */
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
 * What a host says of one of its videos; `id` has the form of that host's ids. `unknown`: it has no such video, or shows it
 * to nobody. Null: no description came, in time and of a sensible size.
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

/** Whole minutes; a clip of less than one keeps its seconds. */
const minutesOf = (seconds: number) =>
  seconds < 60 ? Math.round((seconds / 60) * 100) / 100 : Math.round(seconds / 60)

/** The picture as a `data:` address, so that the owner's browser tells the host nothing; null unless it is a picture. */
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
