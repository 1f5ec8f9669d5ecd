import { useCallback, useEffect, useState } from 'react'
import { signalPlaying } from '#pwa/sync/shelf/playing-sign.ts'
import { keptPath } from '#shared/rules/kept-path.ts'

const isKept = ({ currentSrc }: HTMLMediaElement) =>
  currentSrc !== '' && keptPath.read(new URL(currentSrc).pathname) !== null

/** Tells this phone's shelf while a video plays, so that fetching leaves it the line. Returns what the player calls. */
export function usePlayingSign<Player extends HTMLMediaElement>(
  onElement: ((element: Player | null) => void) | undefined,
) {
  const [element, setElement] = useState<Player | null>(null)
  useEffect(() => (element ? followPlaying(element) : undefined), [element])
  return useCallback(
    (next: Player | null) => {
      setElement(next)
      onElement?.(next)
    },
    [onElement],
  )
}

function followPlaying(element: HTMLMediaElement): () => void {
  let end: (() => void) | null = null
  const begin = () => {
    end ??= signalPlaying(isKept(element) ? 'kept' : 'network')
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
