import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'

/**
 * What is typed between the press that asks for the menu and its coming, which takes a moment when its code is loaded for
 * the first time: kept for its field, and pressed as nothing else. `onLeave`: Escape.
 */
export function useTypedAhead(isAsked: boolean, onLeave: () => void): RefObject<string> {
  const typed = useRef('')
  const keep = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event
    if (document.querySelector('dialog[open]') || ctrlKey || metaKey || altKey || key === 'Tab') return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (key === 'Escape') onLeave()
    else if (key === 'Backspace') typed.current = typed.current.slice(0, -1)
    else if (key.length === 1) typed.current += key
  })
  useEffect(() => {
    if (!isAsked) return
    typed.current = ''
    addEventListener('keydown', keep, true)
    return () => removeEventListener('keydown', keep, true)
  }, [isAsked])
  return typed
}
