import { useEffect } from 'react'

const pressable = 'a, button, label, summary, [role="option"]'
const scrolling = ['wheel', 'pointercancel']

/** The click counted as a press of its own. The browser goes on counting where someone scrolls and presses at the same spot. */
let firstCount = 1

/** Whether it's the second half of a double press, on this element or on what has moved under the thumb since. */
export const isSecondPress = ({ detail }: Pick<MouseEvent, 'detail'>) => detail > firstCount

/** A double press is one: what moves under the thumb after the first press isn't pressed by the second, unless they scrolled there. */
export function useOnePress(): void {
  useEffect(() => {
    let first: Element | null = null
    let hasScrolled = false
    // A thumb that begins to scroll cancels its pointer; a page that only grew shorter doesn't.
    const noteScroll = () => {
      hasScrolled = true
    }
    const check = (event: MouseEvent) => {
      const target = event.target instanceof Element ? event.target.closest(pressable) : null
      if (hasScrolled || event.detail <= 1) firstCount = Math.max(1, event.detail)
      hasScrolled = false
      if (!isSecondPress(event)) first = target
      else if (target !== null && target !== first) {
        event.preventDefault()
        event.stopPropagation()
      }
    }
    addEventListener('click', check, true)
    for (const type of scrolling) addEventListener(type, noteScroll, { capture: true, passive: true })
    return () => {
      firstCount = 1
      removeEventListener('click', check, true)
      for (const type of scrolling) removeEventListener(type, noteScroll, true)
    }
  }, [])
}
