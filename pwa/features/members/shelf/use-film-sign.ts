import { useCallback, useEffect, useState } from 'react'
import { signalFilm } from '#pwa/sync/shelf/film-sign.ts'
import { keptPath } from '#shared/rules/kept-path.ts'

const isKept = ({ currentSrc }: HTMLVideoElement) =>
  currentSrc !== '' && keptPath.read(new URL(currentSrc).pathname) !== null

/** Tells this phone's shelf while a film plays, so that fetching leaves it the line. Returns what the player calls. */
export function useFilmSign(onElement: ((element: HTMLVideoElement | null) => void) | undefined) {
  const [element, setElement] = useState<HTMLVideoElement | null>(null)
  useEffect(() => (element ? followFilm(element) : undefined), [element])
  return useCallback(
    (next: HTMLVideoElement | null) => {
      setElement(next)
      onElement?.(next)
    },
    [onElement],
  )
}

function followFilm(element: HTMLVideoElement): () => void {
  let end: (() => void) | null = null
  const begin = () => {
    end ??= signalFilm(isKept(element) ? 'kept' : 'network')
  }
  const stop = () => {
    end?.()
    end = null
  }
  if (!element.paused) begin()
  element.addEventListener('playing', begin)
  for (const name of ['pause', 'ended', 'emptied', 'error']) element.addEventListener(name, stop)
  return () => {
    stop()
    element.removeEventListener('playing', begin)
    for (const name of ['pause', 'ended', 'emptied', 'error']) element.removeEventListener(name, stop)
  }
}
