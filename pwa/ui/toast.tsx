import { createContext, lazy, type ReactNode, Suspense, useCallback, useContext, useEffect, useState } from 'react'
import { tabStorage } from '#pwa/lib/storage.ts'
import type { ShownToast, ToastMessage } from './toast-region.tsx'

type ShowToast = (message: ToastMessage) => void

const ToastContext = createContext<ShowToast>(() => {})

/** Loads the notification area before it's needed. */
export const loadToasts = () => import('./toast-region.tsx')

const ToastRegion = lazy(loadToasts)

/** What the visitor pressed last, by touch, mouse or key. */
let pressed: EventTarget | null = null

/** In session storage, from leaving a page until the next one. */
const carriedKey = 'message'

/** If the service worker replaces the document while a message shows, shows it again on the next page, but not on the same one. */
function carryOver({ title, description, tone, duration = 5000, shownAt }: ShownToast): void {
  const remaining = shownAt + duration - Date.now()
  if (remaining > 0 && typeof title === 'string')
    tabStorage.setItem(
      carriedKey,
      JSON.stringify({ title, description, tone, until: Date.now() + remaining, from: window.location.pathname }),
    )
}

function takeCarried(): ToastMessage | null {
  const stored = tabStorage.getItem(carriedKey)
  tabStorage.removeItem(carriedKey)
  const { until, from, ...message } = stored === null ? { until: 0, from: '' } : JSON.parse(stored)
  const duration = until - Date.now()
  return duration > 0 && from !== window.location.pathname ? { ...message, duration } : null
}

/** Holds the one message that's showing; a newer one replaces it. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<ShownToast | null>(null)
  const toast = useCallback<ShowToast>((message) => {
    setShown((last) => ({ ...message, pressed, id: (last?.id ?? 0) + 1, shownAt: Date.now() }))
  }, [])
  useEffect(() => {
    const carried = takeCarried()
    // The page's parts mount first and may already have shown a message, which is newer.
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
