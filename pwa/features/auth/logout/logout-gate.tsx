import { lazy, type MouseEvent, type ReactNode, Suspense } from 'react'
import { TextAnchor } from '#pwa/ui/link.tsx'
import { useLogout } from './use-logout.ts'

const LogoutDialog = lazy(() => import('./logout-dialog.tsx'))

type Props = {
  /** Shown while somebody is logging out, in place of what is personal. */
  shut: ReactNode
  children: (onLogout: () => void) => ReactNode
}

/** Around what is personal: what is within logs out, with or without signal, and is gone from that press on. */
export function LogoutGate({ shut, children }: Props) {
  const { isLoggingOut, logout, unsent, logOutNow, stay } = useLogout()
  if (isLoggingOut) return shut
  return (
    <>
      {children(logout)}
      {unsent > 0 && (
        <Suspense>
          <LogoutDialog count={unsent} onStay={stay} onLogout={logOutNow} />
        </Suspense>
      )}
    </>
  )
}

/** The way out of pages that have no header of the member. */
export const LogoutLink = ({ onLogout }: { onLogout: () => void }) => (
  <TextAnchor isTap href="/api/logout" onClick={(event) => isPlainClick(event) && onLogout()}>
    Logout
  </TextAnchor>
)

/** A plain click is handled by the page; a click for another tab or window is left to the browser. */
export function isPlainClick(event: MouseEvent): boolean {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return false
  event.preventDefault()
  return true
}
