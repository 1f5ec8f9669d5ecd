import { useCallback, useEffect, useState } from 'react'
import { signalFilm } from '#pwa/sync/shelf/film-sign.ts'
import { keptPath } from '#shared/rules/kept-path.ts'

const isKept = ({ currentSrc }: HTMLMediaElement) =>
  currentSrc !== '' && keptPath.read(new URL(currentSrc).pathname) !== null

/** Tells this phone's shelf while a film plays, so that fetching leaves it the line. Returns what the player calls. */
export function useFilmSign<Player extends HTMLMediaElement>(
  onElement: ((element: Player | null) => void) | undefined,
) {
  const [element, setElement] = useState<Player | null>(null)
  useEffect(() => (element ? followFilm(element) : undefined), [element])
  return useCallback(
    (next: Player | null) => {
      setElement(next)
      onElement?.(next)
    },
    [onElement],
  )
}

function followFilm(element: HTMLMediaElement): () => void {
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
