import { type RefObject, useEffect } from 'react'
import { coveredBy, freePlace, readScreen } from './toast-place.ts'

/**
 * Keeps a message where it covers nothing that can be pressed. It lies on the page and scrolls with it, so that nothing comes
 * under it on the way; when the page has come to rest, or has changed, it is moved if it is in the way or out of sight.
 */
export function useFreePlace(list: RefObject<HTMLElement | null>, pressed: EventTarget | null): void {
  useEffect(() => {
    const { current } = list
    if (!current) return
    let frame = 0
    const later = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0
        moveAside(current, pressed)
      })
    }
    const changes = new MutationObserver(later)
    changes.observe(document.body, { subtree: true, childList: true, attributeFilter: ['class', 'open', 'hidden'] })
    const stopListening = afterScrolling(later)
    for (const event of resizing) addEventListener(event, later, true)
    window.visualViewport?.addEventListener('resize', later)
    later()
    return () => {
      cancelAnimationFrame(frame)
      changes.disconnect()
      stopListening()
      for (const event of resizing) removeEventListener(event, later, true)
      window.visualViewport?.removeEventListener('resize', later)
    }
  }, [list, pressed])
}

/** The second: rows that come near the screen get their true height. */
const resizing = ['resize', 'contentvisibilityautostatechange']

function moveAside(list: HTMLElement, pressed: EventTarget | null): void {
  if (list.childElementCount === 0) {
    list.removeAttribute('style')
    return
  }
  const now = list.getBoundingClientRect()
  const screen = readScreen(list, pressed)
  const isPlaced = list.style.top !== ''
  const place = freePlace(screen, now)
  const isInTheWay = coveredBy(screen, place) > 0
  // Then a press goes through it.
  list.classList.toggle('toasts--through', isInTheWay)
  if (isPlaced && coveredBy(screen, now) <= coveredBy(screen, place)) return
  list.style.left = `${list.offsetLeft + Math.round(place.left - now.left)}px`
  list.style.top = `${list.offsetTop + Math.round(place.top - now.top)}px`
}

/** Safari has no `scrollend`. */
const restMs = 150

function afterScrolling(rest: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const onScroll = () => {
    clearTimeout(timer)
    timer = setTimeout(rest, restMs)
  }
  addEventListener('scroll', onScroll, { capture: true, passive: true })
  return () => {
    clearTimeout(timer)
    removeEventListener('scroll', onScroll, { capture: true })
  }
}
