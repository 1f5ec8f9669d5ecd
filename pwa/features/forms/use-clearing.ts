import { type RefObject, useState } from 'react'
import { forgetDraft } from '#pwa/lib/draft.ts'
import type { FormKind } from '#pwa/sync/forms/store.ts'
import { fillIn, isBlank, keepFormDraft, readTyped, type Typed } from './typed.ts'

/** Empties a form, on this device too. A press by mistake can be taken back until something else is typed. */
export function useClearing(box: RefObject<HTMLFormElement | null>, kind: FormKind, onClear: () => void) {
  const [cleared, setCleared] = useState<Typed | null>(null)
  const end = () => setCleared(null)
  const clear = () => {
    if (!box.current) return
    const typed = readTyped(box.current)
    box.current.reset()
    box.current.removeAttribute('data-touched')
    forgetDraft(kind)
    onClear()
    setCleared(isBlank(typed) ? null : typed)
  }
  const undo = () => {
    if (!box.current || !cleared) return
    fillIn(box.current, cleared)
    keepFormDraft(kind, { typed: readTyped(box.current), sending: null })
    end()
  }
  return { clear, undo, end, isCleared: cleared !== null }
}
