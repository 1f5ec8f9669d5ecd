import { useEffect, useEffectEvent } from 'react'
import { onBackInRange } from './back-in-range.ts'

/** While something says that there's no signal, tries again as soon as there is. */
export function useBackInRange(isSaid: boolean, retry: () => void): void {
  const back = useEffectEvent(retry)
  useEffect(() => (isSaid ? onBackInRange(() => back()) : undefined), [isSaid])
}
