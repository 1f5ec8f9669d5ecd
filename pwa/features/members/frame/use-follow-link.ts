import { useRouter } from '@tanstack/react-router'
import { type MouseEvent, useCallback } from 'react'

/** Opens a plain link of a long list in the app: the router's own links take a slow phone longer than the rest of their rows. */
export function useFollowLink(): (event: MouseEvent<HTMLAnchorElement>) => void {
  const { history } = useRouter()
  return useCallback(
    (event) => {
      const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
      if (!isPlain) return
      event.preventDefault()
      history.push(event.currentTarget.pathname)
    },
    [history],
  )
}
