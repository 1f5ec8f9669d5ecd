import { type RefObject, useEffect } from 'react'

type Menu = { root: RefObject<HTMLElement | null>; button: RefObject<HTMLElement | null>; close: () => void }

/** Escape closes an open menu wherever the focus is; a focus inside the menu goes back to its button. */
export function useEscape(isOpen: boolean, { root, button, close }: Menu) {
  useEffect(() => {
    if (!isOpen) return
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      if (root.current?.contains(document.activeElement)) button.current?.focus()
      close()
    }
    document.addEventListener('keydown', closeOnEscape)
    return () => document.removeEventListener('keydown', closeOnEscape)
  }, [isOpen, root, button, close])
}
