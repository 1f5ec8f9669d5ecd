import { useCallback, useEffect, useState } from 'react'
import { usePrefersReducedMotion } from '#pwa/ui/use-prefers-reduced-motion.ts'

const everyMs = 8_000
const fadeMs = 300
/** How long a quote the visitor asked for stays. */
const restMs = 30_000

type Mode = 'rotating' | 'resting' | 'paused'

function randomOther(now: number, count: number): number {
  const place = Math.floor(Math.random() * (count - 1))
  return place < now ? place : place + 1
}

function useFading(count: number) {
  const [at, setAt] = useState(0)
  const [isFading, setFading] = useState(false)
  const leave = useCallback(() => setFading(true), [])
  useEffect(() => {
    if (!isFading) return
    const timer = setTimeout(() => {
      setAt((now) => randomOther(now, count))
      setFading(false)
    }, fadeMs)
    return () => clearTimeout(timer)
  }, [isFading, count])
  return { at, isFading, leave }
}

/** Starts with the first quote; random others follow, automatically or on request. */
export function useQuotes(count: number) {
  const prefersReducedMotion = usePrefersReducedMotion()
  const { at, isFading, leave } = useFading(count)
  const [chosen, setMode] = useState<Mode>()
  const [rests, setRests] = useState(0)
  const mode = chosen ?? (prefersReducedMotion ? 'paused' : 'rotating')

  useEffect(() => {
    if (mode !== 'rotating') return
    const timer = setInterval(leave, everyMs)
    return () => clearInterval(timer)
  }, [mode, leave])

  useEffect(() => {
    if (mode !== 'resting' || rests === 0) return
    const timer = setTimeout(() => setMode('rotating'), restMs)
    return () => clearTimeout(timer)
  }, [mode, rests])

  const refresh = () => {
    leave()
    if (mode === 'paused') return
    setMode('resting')
    setRests(rests + 1)
  }
  const isRotating = mode === 'rotating'
  return { at, isFading, isRotating, refresh, toggle: () => setMode(isRotating ? 'paused' : 'rotating') }
}
