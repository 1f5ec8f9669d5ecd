import { lazy, type MouseEvent, type ReactNode, Suspense } from 'react'
import { loadFile } from '#pwa/lib/load-file.ts'
import { TextAnchor } from '#pwa/ui/link.tsx'
import { useLogout } from './use-logout.ts'

const LogoutDialog = lazy(() => loadFile(() => import('./logout-dialog.tsx')))

type Props = {
  /** Shown during a logout, instead of anything personal. */
  shut: ReactNode
  /** `isSure`: they've been asked already, but for what has to be named one by one. */
  children: (onLogout: (isSure?: boolean) => void) => ReactNode
}

/** Wraps personal content. It can log out, with or without signal, and disappears as soon as it does. */
export function LogoutGate({ shut, children }: Props) {
  const { isLoggingOut, logout, losses, logOutNow, stay } = useLogout()
  if (isLoggingOut) return shut
  return (
    <>
      {children(logout)}
      {losses && (
        <Suspense>
          <LogoutDialog losses={losses} onStay={stay} onLogout={logOutNow} />
        </Suspense>
      )}
    </>
  )
}

export const LogoutLink = ({ onLogout }: { onLogout: () => void }) => (
  <TextAnchor isTap className="link--small" href="/api/logout" onClick={(event) => isPlainClick(event) && onLogout()}>
    Logout
  </TextAnchor>
)

/** The page handles a plain click; the browser handles one for another tab or window. */
export function isPlainClick(event: MouseEvent): boolean {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return false
  event.preventDefault()
  return true
}
