import { useEffect, useEffectEvent, useRef, useState } from 'react'

/** Runs one payment at a time: a second press during one does nothing. */
export function useSinglePayment(onBusy?: (isBusy: boolean) => void) {
  const isUnderWay = useRef(false)
  const [isPaying, setPaying] = useState(false)
  const set = (now: boolean) => {
    isUnderWay.current = now
    setPaying(now)
    onBusy?.(now)
  }
  // Pressing Back on the bank's page may restore this page in the middle of paying.
  const onPageShow = useEffectEvent(({ persisted }: PageTransitionEvent) => {
    if (persisted) set(false)
  })
  useEffect(() => {
    const listener = (event: PageTransitionEvent) => onPageShow(event)
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
