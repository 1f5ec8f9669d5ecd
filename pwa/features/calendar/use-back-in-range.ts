import { useEffect, useEffectEvent } from 'react'

/** While something says that there's no signal, tries again as soon as there is. */
export function useBackInRange(isSaid: boolean, retry: () => void): void {
  const back = useEffectEvent(retry)
  useEffect(() => {
    if (!isSaid) return
    const listener = () => back()
    addEventListener('online', listener)
    return () => removeEventListener('online', listener)
  }, [isSaid])
}
