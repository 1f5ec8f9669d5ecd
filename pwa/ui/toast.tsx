import { createContext, lazy, type ReactNode, Suspense, useCallback, useContext, useEffect, useState } from 'react'
import { tabStorage } from '#pwa/lib/storage.ts'
import type { ShownToast, ToastMessage } from './toast-region.tsx'

type ShowToast = (message: ToastMessage) => void

const ToastContext = createContext<ShowToast>(() => {})

/** Brings the notification area here before it is needed. */
export const loadToasts = () => import('./toast-region.tsx')

/** The notification area is loaded with the first message. */
const ToastRegion = lazy(loadToasts)

/** What the visitor pressed last, by a finger or a key. */
let pressed: EventTarget | null = null

/** In the tab's storage, from the moment that a page is left to the next page. */
const carriedKey = 'message'

/** A message that still shows when the page is replaced by a document of the service worker is shown there again. */
function carryOver({ title, description, tone, duration = 5000, shownAt }: ShownToast): void {
  const remaining = shownAt + duration - Date.now()
  if (remaining > 0 && typeof title === 'string')
    tabStorage.setItem(carriedKey, JSON.stringify({ title, description, tone, until: Date.now() + remaining }))
}

function takeCarried(): ToastMessage | null {
  const stored = tabStorage.getItem(carriedKey)
  tabStorage.removeItem(carriedKey)
  const { until, ...message } = stored === null ? { until: 0 } : JSON.parse(stored)
  const duration = until - Date.now()
  return duration > 0 ? { ...message, duration } : null
}

/** Holds the one message that shows; a newer one takes its place. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<ShownToast | null>(null)
  const toast = useCallback<ShowToast>((message) => {
    setShown((last) => ({ ...message, pressed, id: (last?.id ?? 0) + 1, shownAt: Date.now() }))
  }, [])
  useEffect(() => {
    const carried = takeCarried()
    // The page may have said something by now, which is newer: its parts begin before this.
    if (carried) setShown((last) => last ?? { ...carried, pressed, id: 1, shownAt: Date.now() })
  }, [])
  useEffect(() => {
    if (!shown) return
    const carry = () => carryOver(shown)
    addEventListener('pagehide', carry)
    return () => removeEventListener('pagehide', carry)
  }, [shown])
  useEffect(() => {
    const notePress = ({ target }: Event) => {
      pressed = target
    }
    addEventListener('pointerdown', notePress, true)
    addEventListener('keydown', notePress, true)
    return () => {
      removeEventListener('pointerdown', notePress, true)
      removeEventListener('keydown', notePress, true)
    }
  }, [])
  return (
    <ToastContext value={toast}>
      {children}
      {shown && (
        <Suspense>
          <ToastRegion shown={shown} />
        </Suspense>
      )}
    </ToastContext>
  )
}

/** `const toast = useToast()`, then `toast({ title, description, tone, duration })`. */
export const useToast = () => useContext(ToastContext)
