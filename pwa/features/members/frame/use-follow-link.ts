import { useRouter } from '@tanstack/react-router'
import { type MouseEvent, useCallback } from 'react'
import { isPlainClick } from '#pwa/features/auth/logout/logout-gate.tsx'

/** Opens a plain link of a long list in the app: the router's own links take a slow phone longer than the rest of their rows. */
export function useFollowLink(): (event: MouseEvent<HTMLAnchorElement>) => void {
  const { history } = useRouter()
  return useCallback((event) => isPlainClick(event) && history.push(event.currentTarget.pathname), [history])
}
