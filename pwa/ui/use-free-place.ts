import { type RefObject, useEffect } from 'react'
import { coveredBy, freePlace, readScreen, roomFor, sectionToMove } from './toast-place.ts'

/**
 * Keeps a message where it covers nothing pressable. It scrolls with the page, so it can't cover anything on the way. Once the page
 * has settled or changed, we move the message if it's in the way or out of sight. If closed sections fill the screen, the lower
 * ones move down for it until it's gone. On the owners' desk and over a dialog it has one place, in its style: rows
 * there fill the screen.
 */
export function useFreePlace(list: RefObject<HTMLElement | null>, pressed: EventTarget | null): void {
  useEffect(() => {
    const { current } = list
    if (!current) return
    const room = makeRoom()
    let frame = 0
    const later = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0
        moveAside(current, pressed, room)
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
      room.giveBack()
      changes.disconnect()
      stopListening()
      for (const event of resizing) removeEventListener(event, later, true)
      window.visualViewport?.removeEventListener('resize', later)
    }
  }, [list, pressed])
}

/** The second is for rows that get their real height when they come near the screen. */
const resizing = ['resize', 'contentvisibilityautostatechange']

type Room = ReturnType<typeof makeRoom>

function makeRoom() {
  let section: HTMLElement | undefined
  return {
    giveBack() {
      section?.style.removeProperty('margin-block-start')
      section = undefined
    },
    /** Returns the section's top edge afterwards. */
    takeAbove(edge: number, height: number): number | undefined {
      const heads = [...document.querySelectorAll('summary')]
      const head = heads.find((one) => one.getBoundingClientRect().top === edge)
      if (!head?.parentElement) return
      section = head.parentElement
      const margin = Number.parseFloat(getComputedStyle(section).marginBlockStart) || 0
      section.style.marginBlockStart = `${margin + height}px`
      return head.getBoundingClientRect().top
    },
  }
}

function moveAside(list: HTMLElement, pressed: EventTarget | null, room: Room): void {
  if (list.childElementCount === 0 || document.querySelector('.desk') || list.closest('dialog')) {
    room.giveBack()
    list.removeAttribute('style')
    return
  }
  const now = list.getBoundingClientRect()
  const isPlaced = list.style.top !== ''
  if (isPlaced && coveredBy(readScreen(list, pressed), now) === 0) return
  room.giveBack()
  const screen = readScreen(list, pressed)
  const place = freePlace(screen, now)
  const isInTheWay = coveredBy(screen, place) > 0
  const edge = isInTheWay ? sectionToMove(screen, now) : undefined
  const below = edge === undefined ? undefined : room.takeAbove(edge, roomFor(now))
  // Then a press goes through it.
  list.classList.toggle('toasts--through', isInTheWay && below === undefined)
  if (below === undefined && isPlaced && coveredBy(screen, now) <= coveredBy(screen, place)) return
  const top = below === undefined ? place.top : below - roomFor(now) / 2 - now.height / 2
  list.style.left = `${list.offsetLeft + Math.round(place.left - now.left)}px`
  list.style.top = `${list.offsetTop + Math.round(top - now.top)}px`
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
