import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { RequestError } from '#pwa/lib/request-error.ts'

const refusals = ['unauthenticated', 'forbidden', 'second_factor_unset']

/**
 * Whose login has ended, who is no owner any more, or who has yet to set up a second factor; a password that is wrong or wanted
 * again is none of these.
 */
const isRefusal = (error: unknown): error is RequestError =>
  error instanceof RequestError && refusals.includes(error.code)

/** Whatever is refused to whom the door was opened, `onRefused` asks again who is here. */
export function useRefusal(onRefused: (error: RequestError) => void) {
  const queryClient = useQueryClient()
  const refuse = useEffectEvent(onRefused)
  useEffect(() => {
    const stops = [
      queryClient.getQueryCache().subscribe((event) => {
        const isOfDoor = event.query.queryKey[0] === 'owner'
        if (event.type === 'updated' && event.action.type === 'error' && !isOfDoor && isRefusal(event.action.error))
          refuse(event.action.error)
      }),
      queryClient.getMutationCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'error' && isRefusal(event.action.error))
          refuse(event.action.error)
      }),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [queryClient])
}
