import { useEffect, useState } from 'react'
import { reportUnlessClosed } from '#pwa/sync/database.ts'
import { useEngine } from '#pwa/sync/hooks.ts'
import { nearlyDone } from '#shared/rules/video.ts'

/** How often a playing video's position is written to this device, and how often we tell the server. */
const saveEverySeconds = 5
const sendEverySeconds = 60

/** Writes a video's positions, only some of them while it plays. `duration` is NaN while unknown. */
export type PositionWriter = {
  played(seconds: number, duration: number): void
  /** It stands at its start, where nothing's written: a video that's opened and left keeps its place. */
  atStart(): void
  /** The video is paused or the page hidden: tells the server straight away. */
  stopped(): void
  /** Watched to the end, so next time it starts from the beginning. */
  ended(): void
}

/** `onStand`: told the second it stands at. */
export function usePlayback(videoId: string, onStand: (seconds: number) => void = () => {}) {
  const engine = useEngine()
  const [isNearlyDone, setNearlyDone] = useState(false)
  const [writer] = useState(() =>
    createPositionWriter(
      (seconds, isLeaving) => engine.savePosition(videoId, seconds, isLeaving).catch(reportUnlessClosed),
      () => setNearlyDone(true),
      onStand,
    ),
  )
  useEffect(() => {
    const left = () => document.visibilityState === 'hidden' && writer.stopped()
    document.addEventListener('visibilitychange', left)
    window.addEventListener('pagehide', writer.stopped)
    return () => {
      document.removeEventListener('visibilitychange', left)
      window.removeEventListener('pagehide', writer.stopped)
      writer.stopped()
    }
  }, [writer])
  return { isNearlyDone, writer }
}

function createPositionWriter(
  save: (seconds: number, isLeaving: boolean) => void,
  nearEnd: () => void,
  stand: (seconds: number) => void,
): PositionWriter {
  let now: number | null = null
  let [saved, sent] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
  const write = (seconds: number, isLeaving: boolean) => {
    saved = seconds
    if (isLeaving) sent = seconds
    save(seconds, isLeaving)
  }
  return {
    played: (at, duration) => {
      if (sent === Number.NEGATIVE_INFINITY) sent = at
      now = Math.floor(at)
      stand(now)
      if (at / duration >= nearlyDone) nearEnd()
      if (Math.abs(at - sent) >= sendEverySeconds) write(now, true)
      else if (Math.abs(at - saved) >= saveEverySeconds) write(now, false)
    },
    atStart: () => stand(0),
    stopped: () => {
      if (now !== null && now !== sent) write(now, true)
    },
    ended: () => {
      now = null
      write(0, true)
    },
  }
}

export function usePlaybackPosition(element: HTMLMediaElement | null, startAt: number, writer: PositionWriter): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: it begins once, and the place it is at changes what is stored
  useEffect(() => {
    if (element === null) return
    const begin = () => {
      // A video that has become shorter starts from the beginning.
      if (startAt > 0 && startAt < element.duration - 1) element.currentTime = startAt
      else writer.atStart()
    }
    const played = () =>
      element.currentTime > 0 ? writer.played(element.currentTime, element.duration) : writer.atStart()
    const paused = () => {
      if (element.ended) return
      played()
      writer.stopped()
    }
    if (element.readyState > 0) begin()
    const listeners = { loadedmetadata: begin, timeupdate: played, pause: paused, ended: writer.ended }
    for (const [name, listener] of Object.entries(listeners)) element.addEventListener(name, listener)
    return () => {
      for (const [name, listener] of Object.entries(listeners)) element.removeEventListener(name, listener)
    }
  }, [element, writer])
}

type LockScreen = {
  title: string
  artist: string
  album: string
  onPrevious: (() => void) | null
  onNext: (() => void) | null
}

const skipSeconds = 10

/** What a locked phone's screen or a car's display shows: picture, title, pause, ten seconds back and forward, the videos beside it. */
export function useMediaSession(
  element: HTMLMediaElement | null,
  { title, artist, album, onPrevious, onNext }: LockScreen,
) {
  useEffect(() => {
    const { mediaSession } = navigator
    if (element === null || mediaSession === undefined) return
    const skip = (seconds: number) => () => {
      element.currentTime = Math.max(0, element.currentTime + seconds)
    }
    const artwork = [{ src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png' }]
    mediaSession.metadata = new MediaMetadata({ title, artist, album, artwork })
    const handlers: [MediaSessionAction, (() => void) | null][] = [
      ['play', () => void element.play().catch(() => {})],
      ['pause', () => element.pause()],
      ['seekbackward', skip(-skipSeconds)],
      ['seekforward', skip(skipSeconds)],
      ['previoustrack', onPrevious],
      ['nexttrack', onNext],
    ]
    for (const [action, handler] of handlers) setHandler(mediaSession, action, handler)
    return () => {
      mediaSession.metadata = null
      for (const [action] of handlers) setHandler(mediaSession, action, null)
    }
  }, [element, title, artist, album, onPrevious, onNext])
}

/** A browser throws on an action it doesn't know. */
function setHandler(mediaSession: MediaSession, action: MediaSessionAction, handler: (() => void) | null): void {
  try {
    mediaSession.setActionHandler(action, handler)
  } catch {
    // Its lock screen has no such button.
  }
}
