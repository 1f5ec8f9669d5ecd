import { createContext, lazy, type ReactNode, Suspense, useCallback, useContext, useState } from 'react'
import type { ShownToast, ToastMessage } from './toast-region.tsx'

type ShowToast = (message: ToastMessage) => void

const ToastContext = createContext<ShowToast>(() => {})

/** Brings the notification area here before it is needed. */
export const loadToasts = () => import('./toast-region.tsx')

/** The notification area is loaded with the first message. */
const ToastRegion = lazy(loadToasts)

/** Holds the one message that shows; a newer one takes its place. */
export function ToastProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<ShownToast | null>(null)
  const toast = useCallback<ShowToast>((message) => setShown((last) => ({ ...message, id: (last?.id ?? 0) + 1 })), [])
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
