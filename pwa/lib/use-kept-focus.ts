import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * When what was pressed goes, the focus goes on to what takes its place: the first part marked `data-next`. A keyboard or a screen reader
 * would be at the top of the page again.
 */
export function useKeptFocus(box: RefObject<HTMLElement | null>, change: unknown): void {
  const wasInside = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it looks after each change
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const isLost = () => wasInside.current && isNowhere(document.activeElement)
    const focusNext = () => {
      const next = isLost() ? element.querySelector<HTMLElement>('[data-next]') : null
      next?.focus()
      return next !== null || !isLost()
    }
    // What takes its place may come a moment later, such as a player whose file is being read.
    const awaited = focusNext() ? null : new MutationObserver(() => focusNext() && awaited?.disconnect())
    awaited?.observe(element, { childList: true, subtree: true })
    const note = () => {
      wasInside.current = true
    }
    // A part that is removed tells of no loss of focus in some browsers.
    const left = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget !== null) wasInside.current = false
    }
    element.addEventListener('focusin', note)
    element.addEventListener('focusout', left)
    return () => {
      awaited?.disconnect()
      element.removeEventListener('focusin', note)
      element.removeEventListener('focusout', left)
    }
  }, [box, change])
}

const isNowhere = (element: Element | null) => element === null || element === document.body
