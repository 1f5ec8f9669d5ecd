import { createContext, lazy, type ReactNode, Suspense, useCallback, useContext, useEffect, useState } from 'react'
import { loadFile } from '#pwa/lib/load-file.ts'
import type { ShownToast, ToastMessage } from './toast-region.tsx'

type ShowToast = (message: ToastMessage) => void

const ToastContext = createContext<ShowToast>(() => {})

/** Loads the notification area before it's needed. */
export const loadToasts = () => loadFile(() => import('./toast-region.tsx'))

const ToastRegion = lazy(loadToasts)

/** What the visitor pressed last, by touch, mouse or key. */
let pressed: EventTarget | null = null

/** Holds the one message that's showing; a newer one replaces it. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<ShownToast | null>(null)
  const toast = useCallback<ShowToast>((message) => {
    setShown((last) => ({ ...message, pressed, id: (last?.id ?? 0) + 1 }))
  }, [])
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
