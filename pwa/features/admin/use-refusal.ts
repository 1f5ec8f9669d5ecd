import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { RequestError } from '#pwa/lib/request-error.ts'

/** Whose login has ended, or who is no owner any more; a password that is wrong or wanted again is neither. */
const isRefusal = (error: unknown) =>
  error instanceof RequestError && (error.code === 'unauthenticated' || error.code === 'forbidden')

/** Whatever is refused to whom the door was opened, `onRefused` asks again who is here. */
export function useRefusal(onRefused: () => void) {
  const queryClient = useQueryClient()
  const refuse = useEffectEvent(onRefused)
  useEffect(() => {
    const stops = [
      queryClient.getQueryCache().subscribe((event) => {
        const isOfDoor = event.query.queryKey[0] === 'owner'
        if (event.type === 'updated' && event.action.type === 'error' && !isOfDoor && isRefusal(event.action.error))
          refuse()
      }),
      queryClient.getMutationCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'error' && isRefusal(event.action.error)) refuse()
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [queryClient])
}
