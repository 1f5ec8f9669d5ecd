import { useEffect } from 'react'

const pressable = 'a, button, label, summary, [role="option"]'

/** A double press is one: what moves under the thumb after the first press isn't pressed by the second. */
export function useOnePress(): void {
  useEffect(() => {
    let first: Element | null = null
    const check = (event: MouseEvent) => {
      const target = event.target instanceof Element ? event.target.closest(pressable) : null
      if (event.detail <= 1) first = target
      else if (target !== null && target !== first) {
        event.preventDefault()
        event.stopPropagation()
      }
    }
    addEventListener('click', check, true)
    return () => removeEventListener('click', check, true)
  }, [])
}
