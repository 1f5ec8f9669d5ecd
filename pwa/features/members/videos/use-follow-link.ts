import { useRouter } from '@tanstack/react-router'
import { type MouseEvent, useCallback } from 'react'

/**
 * For the many links of a list, each of which would follow the router if it were a link of its own: a plain press stays in the
 * app, and one that asks for a new tab or window gets it.
 */
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
