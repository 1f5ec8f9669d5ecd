import type { videoTypes } from './column-values.ts'

type VideoType = (typeof videoTypes)[number]
type Pasted = { videoType: VideoType; videoId: string; embedUrl: string | null }

export type VideoSource =
  | { videoId: string; embedUrl: string | null }
  | { problems: { videoId?: string; embedUrl?: string } }

/**
 * Reduces what an owner pastes (an id, the address of a page or player, or embed code) to what we store: the host's id, or for
 * `embed` the player's https address. Running it on its own result changes nothing.
 */
export function readVideoSource({ videoType, videoId, embedUrl }: Pasted): VideoSource {
  const id = videoType === 'embed' ? secureAddress(videoId) : hostedVideoId(videoType, videoId)
  const player = embedUrl === null ? null : secureAddress(embedUrl)
  if (id !== null && (embedUrl === null || player !== null)) return { videoId: id, embedUrl: player }
  return {
    problems: {
      ...(id === null ? { videoId: noIdOf[videoType] } : {}),
      ...(embedUrl !== null && player === null ? { embedUrl: noPlayer } : {}),
    },
  }
}

const noPlayer = 'Please paste an https address, or code that begins with <iframe and ends with </iframe>.'

const noIdOf: Record<VideoType, string> = {
  wistia: 'That’s not a Wistia video. Paste its ID, page address or iframe code.',
  youtube: 'That’s not a YouTube video. Paste its address or its 11-character ID.',
  streamyard: 'That’s not a StreamYard video. Paste its ID or address.',
  embed: noPlayer,
}

type HostedType = Exclude<VideoType, 'embed'>

const idPatterns: Record<HostedType, RegExp> = {
  wistia: /^[\w-]{1,64}$/,
  youtube: /^[\w-]{11}$/,
  streamyard: /^[\w-]{1,64}$/,
}

/** Where each host has the id in its addresses. */
const hosts: Record<HostedType, { host: RegExp; path: RegExp; query?: string }> = {
  wistia: {
    host: /(^|\.)(wistia\.(com|net)|wi\.st)$/,
    path: /^\/(?:medias|embed\/iframe|embed\/medias)\/([^/.]+)(?:\.jsonp?|\.m3u8)?\/?$/,
  },
  youtube: {
    host: /^((www|m|music)\.)?(youtube\.com|youtube-nocookie\.com)$/,
    path: /^\/(?:embed|shorts|live|v)\/([^/]+)\/?$/,
    query: 'v',
  },
  streamyard: { host: /^(www\.)?streamyard\.com$/, path: /^\/(?:embed\/|watch\/)?([^/]+)\/?$/ },
}

const hostedTypes = ['wistia', 'youtube', 'streamyard'] as const satisfies readonly HostedType[]

function hostedVideoId(type: HostedType, pasted: string): string | null {
  const text = pasted.trim()
  const isId = idPatterns[type]
  if (isId.test(text)) return text
  const address = toAddress(text)
  const id = address && idInAddress(type, address)
  return id && isId.test(id) ? id : null
}

/** The type that matches the pasted video when the chosen one doesn't: an address tells us its host. `embed` plays any. */
export function typeOfPasted(chosen: VideoType, pasted: string): VideoType {
  if (chosen === 'embed' || hostedVideoId(chosen, pasted) !== null) return chosen
  const address = toAddress(pasted.trim())
  return (address && hostedTypes.find((type) => idInAddress(type, address))) ?? chosen
}

function idInAddress(type: HostedType, { hostname, pathname, searchParams }: URL): string | null {
  if (type === 'youtube' && hostname === 'youtu.be') return pathname.slice(1)
  const { host, path, query } = hosts[type]
  if (!host.test(hostname)) return null
  return path.exec(pathname)?.[1] ?? (query === undefined ? null : searchParams.get(query))
}

/** Embed code begins with an iframe and contains its end tag. Anything else is read as an address. */
export const isEmbedCode = (text: string) => /^\s*<iframe\s/i.test(text) && /<\/iframe\s*>/i.test(text)

function toAddress(text: string): URL | null {
  const pasted = isEmbedCode(text) ? sourceOfEmbed(text) : text.trim()
  const whole = pasted.startsWith('//')
    ? `https:${pasted}`
    : /^[\w-]+(\.[\w-]+)+\//.test(pasted)
      ? `https://${pasted}`
      : pasted
  if (!URL.canParse(whole)) return null
  const address = new URL(whole)
  return /^https?:$/.test(address.protocol) && address.username === '' ? address : null
}

function sourceOfEmbed(code: string): string {
  const tag = /^\s*<iframe\s[^>]*>/i.exec(code)?.[0] ?? ''
  const [, double, single, bare] = /\ssrc\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(tag) ?? []
  return (double ?? single ?? bare ?? '').replaceAll('&amp;', '&').trim()
}

/** The address as the browser normalises it; null unless it's https. */
function secureAddress(text: string): string | null {
  const address = toAddress(text)
  return address?.protocol === 'https:' ? address.href : null
}
