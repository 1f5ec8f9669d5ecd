import { useLayoutEffect } from 'react'

type TypedAhead = {
  /** What's typed for Find while it's coming. Null while it isn't asked for. */
  text: string | null
  /** Gives up asking. Null until the frame is there, which opens Find for what was asked before. */
  leave: (() => void) | null
}

export const typedAhead: TypedAhead = { text: null, leave: null }

export const isMenuKey = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent) =>
  (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'k'

/**
 * From the page on, before its frame is there. `isComing`: nothing has failed, so Find will come. A layout effect: a slow computer
 * shows the page well before it runs the others, and would lose the key.
 */
export function useTypedAhead(isComing: boolean): void {
  useLayoutEffect(() => {
    if (!isComing) return
    addEventListener('keydown', keep, true)
    return () => {
      removeEventListener('keydown', keep, true)
      typedAhead.text = null
    }
  }, [isComing])
}

/** These keys trigger no shortcuts. */
function keep(event: KeyboardEvent): void {
  const { key } = event
  const { text, leave } = typedAhead
  if (document.querySelector('dialog[open]')) return
  if (text === null) {
    if (leave !== null || !isMenuKey(event)) return
    typedAhead.text = ''
  } else if (event.ctrlKey || event.metaKey || event.altKey || key === 'Tab') return
  else if (key === 'Escape') {
    typedAhead.text = null
    leave?.()
  } else if (key === 'Backspace') typedAhead.text = text.slice(0, -1)
  else if (key.length === 1) typedAhead.text = text + key
  event.preventDefault()
  event.stopImmediatePropagation()
}
