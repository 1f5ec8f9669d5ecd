import { lazy, type ReactNode, Suspense } from 'react'
import { useLogout } from './use-logout.ts'

const LogoutDialog = lazy(() => import('./logout-dialog.tsx'))

type Props = {
  /** Shown while somebody is logging out, in place of what is personal. */
  shut: ReactNode
  children: (onLogout: () => void) => ReactNode
}

/** Around what is personal: what is within logs out, with or without signal, and is gone from that press on. */
export function LogoutDoor({ shut, children }: Props) {
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
