import { useEffect, useEffectEvent, useRef, useState } from 'react'

/** Runs one payment at a time: a second press while one runs does nothing. */
export function usePayOnce(onBusy?: (isBusy: boolean) => void) {
  const isUnderWay = useRef(false)
  const [isPaying, setPaying] = useState(false)
  const set = (now: boolean) => {
    isUnderWay.current = now
    setPaying(now)
    onBusy?.(now)
  }
  // Back from the bank's page with the browser's own button, this page may come as it was left: in the middle of paying.
  const shown = useEffectEvent(({ persisted }: PageTransitionEvent) => {
    if (persisted) set(false)
  })
  useEffect(() => {
    const listener = (event: PageTransitionEvent) => shown(event)
    window.addEventListener('pageshow', listener)
    return () => window.removeEventListener('pageshow', listener)
  }, [])
  const payOnce = async (pay: () => Promise<void>) => {
    if (isUnderWay.current) return
    set(true)
    await pay()
    set(false)
  }
  return { isPaying, payOnce }
}
