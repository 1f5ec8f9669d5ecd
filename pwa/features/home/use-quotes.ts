import { useEffect, useState } from 'react'
import { usePrefersStillness } from '#pwa/ui/use-prefers-stillness.ts'

const everyMs = 8_000
const fadeMs = 300
/** How long a quote that was asked for stays. */
const restMs = 30_000

type Mode = 'rotating' | 'resting' | 'paused'

/** Any but the one that shows. */
const another = (now: number, count: number) => {
  const place = Math.floor(Math.random() * (count - 1))
  return place < now ? place : place + 1
}

/** Which of `count` quotes shows: the first, then others at random, each after a fade. */
export const useQuotes = (count: number) => {
  const prefersStillness = usePrefersStillness()
  const [chosen, setMode] = useState<Mode>()
  const mode = chosen ?? (prefersStillness ? 'paused' : 'rotating')
  const [rests, setRests] = useState(0)
  const [at, setAt] = useState(0)
  const [isFading, setFading] = useState(false)

  useEffect(() => {
    if (mode !== 'rotating') return
    const timer = setInterval(() => setFading(true), everyMs)
    return () => clearInterval(timer)
  }, [mode])

  useEffect(() => {
    if (mode !== 'resting' || rests === 0) return
    const timer = setTimeout(() => setMode('rotating'), restMs)
    return () => clearTimeout(timer)
  }, [mode, rests])

  useEffect(() => {
    if (!isFading) return
    const timer = setTimeout(() => {
      setAt((now) => another(now, count))
      setFading(false)
    }, fadeMs)
    return () => clearTimeout(timer)
  }, [isFading, count])

  return {
    at,
    isFading,
    isRotating: mode === 'rotating',
    /** Another one now; what rotates rests first. */
    refresh: () => {
      setFading(true)
      if (mode === 'paused') return
      setMode('resting')
      setRests((before) => before + 1)
    },
    toggle: () => setMode(mode === 'rotating' ? 'paused' : 'rotating'),
  }
}
