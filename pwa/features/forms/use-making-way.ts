import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react'
import { forgetDraft } from '#pwa/lib/draft.ts'
import type { FormKind, KeptForm, KeptForms } from '#pwa/sync/forms/store.ts'
import { isDraftKey, isSameTyped, keepFormDraft, parseFormDraft, readFilledIn, readFormDraft } from './typed.ts'

export type Box = RefObject<HTMLFormElement | null>

type State = {
  kept: KeptForms
  /** Still in the hands of this page. */
  outId: string | null
  waiting: KeptForm[]
  refused: KeptForm[]
  isBack: (id: string | undefined) => boolean
  renew: () => void
  bringBack: (id: string) => Promise<void>
}

/**
 * Empties the form of what the queue has taken over, and of nothing else: tabs share one draft, and another tab may have
 * handed over another text. True while the form makes way for what waits, since nothing else stands in it.
 */
export function useMakingWay(kind: FormKind, box: Box, state: State): boolean {
  const { waiting, refused, isBack, renew, bringBack } = state
  const [isAside, setAside] = useState(false)
  const settle = useEffectEvent(({ forms, receipts }: KeptForms, outId: string | null) => {
    if (outId !== null) return
    const typed = readFilledIn(box.current)
    const draft = readFormDraft(kind)
    const id = draft?.sending?.id
    const isHandedOver = !isBack(id) && [...forms, ...receipts].some((form) => form.id === id)
    const isLeftHere = isHandedOver && draft !== null && typed !== null && isSameTyped(typed, draft.typed)
    const isEmpty = typed === null || isLeftHere
    if (isLeftHere) {
      // The page died after the queue had taken the form over.
      forgetDraft(kind)
      renew()
    } else if (isHandedOver && typed !== null) {
      // Another tab has handed its own text over: this one's takes the draft.
      keepFormDraft(kind, { typed, sending: null })
    }
    setAside(isEmpty && waiting.length > 0)
    const [first] = refused
    if (first && isEmpty && readFormDraft(kind) === null) bringBack(first.id).catch(reportError)
  })
  // Before anything is painted, and while the form is still there to be looked at.
  useLayoutEffect(() => settle(state.kept, state.outId), [state.kept, state.outId])
  return isAside
}

/** Another tab that hands its text over takes the draft away: this tab's own text is kept again. */
export function useRewriting(kind: FormKind, box: Box, outId: string | null) {
  const onStorage = useEffectEvent(({ key, oldValue, newValue }: StorageEvent) => {
    if (!isDraftKey(key, kind) || newValue !== null || outId !== null) return
    const typed = readFilledIn(box.current)
    const theirs = parseFormDraft(oldValue)
    if (typed === null || !theirs?.sending || isSameTyped(typed, theirs.typed)) return
    if (readFormDraft(kind) === null) keepFormDraft(kind, { typed, sending: null })
  })
  useEffect(() => {
    const listen = (event: StorageEvent) => onStorage(event)
    window.addEventListener('storage', listen)
    return () => window.removeEventListener('storage', listen)
  }, [])
}
