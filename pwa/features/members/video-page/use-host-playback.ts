import { useCallback, useEffect, useMemo, useState } from 'react'
import * as v from 'valibot'
import type { PositionWriter } from './use-playback.ts'

/** A message from a host's player. `duration` is NaN while it doesn't say. */
export type HostNews = { kind: 'played'; seconds: number; duration: number } | { kind: 'paused' } | { kind: 'ended' }

/** How to tell one host's player where to start, and how it reports its position. Seconds are whole. */
export type HostProtocol = {
  begin(address: URL, seconds: number, ourOrigin: string): void
  /** The messages it needs before it reports anything. */
  hello: readonly unknown[]
  read(message: unknown): HostNews[]
}

const seconds = v.pipe(v.number(), v.finite(), v.minValue(0))

const YouTubeMessage = v.object({
  info: v.object({
    currentTime: v.optional(seconds),
    duration: v.optional(seconds),
    playerState: v.optional(v.nullable(v.number())),
  }),
})
const youTubeStates: Record<number, HostNews['kind']> = { 0: 'ended', 2: 'paused' }

/**
 * https://developers.google.com/youtube/iframe_api_reference, as its script talks to the iframe. It only reports what has changed.
 */
function createYouTube(): HostProtocol {
  let [at, duration] = [0, Number.NaN]
  return {
    begin: ({ searchParams }, from, ourOrigin) => {
      searchParams.set('enablejsapi', '1')
      searchParams.set('origin', ourOrigin)
      if (from > 0) searchParams.set('start', String(from))
    },
    hello: [{ event: 'listening', id: 1, channel: 'widget' }],
    read: (message) => {
      const read = v.safeParse(YouTubeMessage, message)
      if (!read.success) return []
      const { currentTime, duration: length, playerState } = read.output.info
      if (length) duration = length
      if (currentTime !== undefined) at = currentTime
      const state = youTubeStates[playerState ?? -1]
      const played: HostNews[] = currentTime === undefined ? [] : [{ kind: 'played', seconds: at, duration }]
      if (state === 'ended') return [{ kind: 'ended' }]
      return state === 'paused' ? [...played, { kind: 'paused' }] : played
    },
  }
}

const VimeoMessage = v.object({
  event: v.picklist(['ready', 'timeupdate', 'pause', 'ended', 'finish']),
  data: v.optional(v.object({ seconds: v.optional(seconds), duration: v.optional(seconds) })),
})
const vimeoEvents = ['timeupdate', 'pause', 'ended']

/** https://developer.vimeo.com/player/sdk/reference, as its script talks to the iframe. */
const createVimeo = (): HostProtocol => ({
  begin: (address, from) => {
    address.searchParams.set('api', '1')
    if (from > 0) address.hash = `t=${from}s`
  },
  hello: vimeoEvents.map((value) => ({ method: 'addEventListener', value })),
  read: (message) => {
    const read = v.safeParse(VimeoMessage, message)
    if (!read.success) return []
    const { event, data } = read.output
    if (event === 'ended' || event === 'finish') return [{ kind: 'ended' }]
    if (event === 'pause') return [{ kind: 'paused' }]
    if (data?.seconds === undefined) return []
    return [{ kind: 'played', seconds: data.seconds, duration: data.duration ?? Number.NaN }]
  },
})

const protocols: Record<string, () => HostProtocol> = {
  'https://www.youtube-nocookie.com': createYouTube,
  'https://www.youtube.com': createYouTube,
  'https://player.vimeo.com': createVimeo,
}

/** Null for a host whose player doesn't report its position. */
export const hostProtocol = (address: string): HostProtocol | null => protocols[new URL(address).origin]?.() ?? null

/** As often as the player's own script: the iframe may load long before it listens. */
const helloEveryMs = 500
const mostHellos = 40

export function useHostPlayback(startAt: number, writer: PositionWriter) {
  const [iframe, setIframe] = useState<HTMLIFrameElement | null>(null)
  useEffect(() => {
    const protocol = iframe && hostProtocol(iframe.src)
    return protocol ? followIframe(iframe, protocol, writer) : undefined
  }, [iframe, writer])
  const address = useCallback(
    (plain: string) => {
      const protocol = hostProtocol(plain)
      if (protocol === null) return plain
      const url = new URL(plain)
      protocol.begin(url, Math.floor(startAt), window.location.origin)
      return url.href
    },
    [startAt],
  )
  return useMemo(() => ({ address, onIframe: setIframe }), [address])
}

/** Only accepts messages from this very iframe, from the origin we put into it. */
function followIframe(iframe: HTMLIFrameElement, protocol: HostProtocol, writer: PositionWriter): () => void {
  const { origin } = new URL(iframe.src)
  let hellos = 0
  const greet = () => {
    hellos += 1
    if (hellos === mostHellos) clearInterval(timer)
    for (const message of protocol.hello) iframe.contentWindow?.postMessage(JSON.stringify(message), origin)
  }
  const timer = setInterval(greet, helloEveryMs)
  const heard = ({ source, origin: from, data }: MessageEvent) => {
    if (source !== iframe.contentWindow || from !== origin) return
    const news = protocol.read(parseMessage(data))
    if (news.length > 0) clearInterval(timer)
    for (const one of news) recordNews(writer, one)
  }
  window.addEventListener('message', heard)
  iframe.addEventListener('load', greet)
  return () => {
    clearInterval(timer)
    window.removeEventListener('message', heard)
    iframe.removeEventListener('load', greet)
  }
}

function recordNews(writer: PositionWriter, news: HostNews): void {
  if (news.kind === 'ended') writer.ended()
  else if (news.kind === 'paused') writer.stopped()
  // Before it plays, it reports that it's at its start.
  else if (news.seconds > 0) writer.played(news.seconds, news.duration)
}

function parseMessage(data: unknown): unknown {
  if (typeof data !== 'string') return data
  try {
    return JSON.parse(data)
  } catch {
    return null
  }
}
