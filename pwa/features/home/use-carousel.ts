import { useEffect, useState } from 'react'
import { usePrefersReducedMotion } from '#pwa/ui/use-prefers-reduced-motion.ts'

const everyMs = 4_000

/** Which of `count` items is on top. It advances by itself and wraps, until the visitor chooses one or stops it. */
export function useCarousel(count: number) {
  const prefersReducedMotion = usePrefersReducedMotion()
  const [choice, setChoice] = useState<'play' | 'pause'>()
  const [at, setAt] = useState(0)
  const isPlaying = choice ? choice === 'play' : !prefersReducedMotion
  useEffect(() => {
    if (!isPlaying || count < 2) return
    const timer = setInterval(() => setAt((now) => (now + 1) % count), everyMs)
    return () => clearInterval(timer)
  }, [isPlaying, count])
  return {
    at,
    isPlaying,
    toggle: () => setChoice(isPlaying ? 'pause' : 'play'),
    /** Wraps at both ends. */
    show: (place: number) => {
      setChoice('pause')
      setAt((place + count) % count)
    },
  }
}
