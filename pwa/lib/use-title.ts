import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

/** Titles the page by what only the page itself knows. Null leaves the route's own title. */
export function useTitle(title: string | null): void {
  const router = useRouter()
  useEffect(() => {
    if (title === null) return
    const setTitle = () => {
      document.title = title
    }
    // After the route's own title, which is set in the same round of effects.
    queueMicrotask(setTitle)
    return router.subscribe('onRendered', setTitle)
  }, [title, router])
}
