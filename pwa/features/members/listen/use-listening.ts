import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import type { MemberVideo } from '#shared/contract/video.ts'
import { type SleepTimer, sleepsAt } from '#shared/rules/listen-queue.ts'

export type ListenSource = {
  queue: readonly MemberVideo[]
  addressesOf: (video: MemberVideo) => readonly string[]
  /** What played at the last opening, where it goes on. */
  lastId: string | null
}

export type Listening = ReturnType<typeof useListening>

/**
 * One audio element plays the whole queue: phones let the same element go on with the screen off, and stop a second one. So the
 * next address is set where the last one ends, without waiting for a render.
 */
export function useListening({ queue, addressesOf, lastId }: ListenSource) {
  const [element, setElement] = useState<HTMLAudioElement | null>(null)
  const [currentId, setCurrentId] = useState<string | null>(null)
  const [hasFailed, setFailed] = useState(false)
  const [playsNext, setPlaysNext] = useState(true)
  const [sleep, setSleep] = useState<{ timer: SleepTimer; at: number | null }>({ timer: 'off', at: null })
  const { current, next, previous, first } = positionIn({ queue, addressesOf, lastId }, currentId)
  const play = useCallback(
    (video: MemberVideo, from = 0) => {
      const address = addressesOf(video)[from]
      setCurrentId(video.id)
      setFailed(address === undefined)
      if (element === null || address === undefined) return
      element.src = address
      element.play().catch(() => {})
    },
    [element, addressesOf],
  )
  const ended = useEffectEvent(() => {
    if (sleep.timer === 'end') return setSleep({ timer: 'off', at: null })
    if (playsNext && next) play(next)
  })
  const failed = useEffectEvent(() => {
    const tried = current ? addressesOf(current).findIndex((address) => element?.src.endsWith(address)) : -1
    if (current === null) return
    if (playsNext && next && tried + 1 >= addressesOf(current).length) play(next)
    else play(current, tried + 1)
  })
  const ticked = useEffectEvent(() => {
    if (sleep.at === null || Date.now() < sleep.at) return
    element?.pause()
    setSleep({ timer: 'off', at: null })
  })
  useListeners(element, { ended, error: failed, timeupdate: ticked })
  return {
    element,
    setElement,
    current,
    next,
    previous,
    hasFailed,
    play,
    first,
    playsNext,
    setPlaysNext,
    sleep,
    forget: () => setCurrentId(null),
    sleepAfter: (timer: SleepTimer) => setSleep({ timer, at: sleepsAt(timer, Date.now()) }),
  }
}

/** What needs signal is passed over where there's none. */
function positionIn({ queue, addressesOf, lastId }: ListenSource, currentId: string | null) {
  const index = queue.findIndex(({ id }) => id === currentId)
  const canPlay = (video: MemberVideo) => addressesOf(video).length > 0
  return {
    current: queue[index] ?? null,
    next: queue.slice(index + 1).find(canPlay) ?? null,
    previous: queue.slice(0, Math.max(0, index)).findLast(canPlay) ?? null,
    first: queue.find((video) => video.id === lastId && canPlay(video)) ?? queue.find(canPlay),
  }
}

function useListeners(
  element: HTMLAudioElement | null,
  listeners: Record<'ended' | 'error' | 'timeupdate', () => void>,
) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: effect events stay the same
  useEffect(() => {
    if (element === null) return
    for (const [name, listener] of Object.entries(listeners)) element.addEventListener(name, listener)
    return () => {
      for (const [name, listener] of Object.entries(listeners)) element.removeEventListener(name, listener)
    }
  }, [element])
}
