import { replaceEqualDeep } from '@tanstack/react-query'
import { useRef } from 'react'
import type { ShownProgress } from '#pwa/sync/progress/status.ts'
import type { ProgressByVideo } from './shelf.ts'

/**
 * The object of before while it says the same. This device's store is read again at every step of sending, and most of
 * them change nothing that is shown.
 */
export function useSame<Value>(value: Value): Value {
  const last = useRef(value)
  last.current = replaceEqualDeep(last.current, value)
  return last.current
}

/** The same for the progress: each video's entry of before, and the whole map where all of them are. */
export function useSameProgress(progress: ProgressByVideo | undefined): ProgressByVideo | undefined {
  const last = useRef(progress)
  if (progress !== last.current) last.current = progress && sharing(last.current, progress)
  return last.current
}

function sharing(before: ProgressByVideo | undefined, now: ProgressByVideo): ProgressByVideo {
  if (before === undefined) return now
  const shared = new Map<string, ShownProgress>()
  for (const [videoId, shown] of now) shared.set(videoId, replaceEqualDeep(before.get(videoId), shown))
  const isSame = before.size === shared.size && [...shared].every(([videoId, shown]) => before.get(videoId) === shown)
  return isSame ? before : shared
}
