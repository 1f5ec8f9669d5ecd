import { useEffect } from 'react'
import * as v from 'valibot'
import { reportUnlessClosed } from '#pwa/sync/database.ts'
import { createLive, useEngine } from '#pwa/sync/hooks.ts'
import { readSnapshot, saveSnapshot } from '#pwa/sync/progress/snapshots.ts'

export const speeds = [0.75, 1, 1.25, 1.5, 2] as const

const Speed = v.picklist(speeds)
const name = 'speed'

const useKeptSpeed = createLive((store) => readSnapshot(store, name, Speed)).use

/** How fast it plays: this phone remembers it for the next video, seen or heard. */
export function useSpeed(element: HTMLMediaElement | null) {
  const { store } = useEngine()
  const speed = useKeptSpeed() ?? 1
  useEffect(() => {
    if (element === null) return
    element.playbackRate = speed
    // Survives another source in the same element.
    element.defaultPlaybackRate = speed
  }, [element, speed])
  const choose = (value: number) => {
    saveSnapshot(store, name, { value, savedAt: Date.now() }).catch(reportUnlessClosed)
  }
  return { speed, choose }
}
