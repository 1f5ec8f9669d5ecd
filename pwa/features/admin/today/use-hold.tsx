import { useEffect, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import {
  hold,
  isAnyHeld,
  readHidden,
  releaseAll,
  takeBack,
  undoMs,
  watchHidden,
} from '#pwa/features/admin/kit/held-store.ts'
import { focusRow, listRows } from '#pwa/features/admin/kit/shortcuts/use-shortcuts.ts'
import { useAdminRenewal } from '#pwa/features/admin/kit/use-admin-action.ts'
import { useProof } from '#pwa/features/auth/proof/use-proof.tsx'
import { messageOf } from '#pwa/lib/request-error.ts'
import { useToast } from '#pwa/ui/toast.tsx'

/** Each call must outlive the page: it’s the last thing a closing page does. */
export const outliving = { fetch: { keepalive: true } }

type Wanted = {
  /** The entry’s, of all kinds. */
  id: string
  title: string
  description?: string
  send: () => Promise<unknown>
  /** Shown if the server sent no message. */
  failure: string
  onSent?: () => void
  /** It only leaves once the time for Undo is up, so that’s said then. */
  isSending?: boolean
}

/** Takes the entry off the list straight away. Does it once it’s too late to press Undo. */
export function useHold() {
  const toast = useToast()
  const renew = useAdminRenewal()
  const prove = useProof()
  return ({ id, title, description, send, failure, onSent, isSending }: Wanted) => {
    const at = listRows().findIndex((row) => row.contains(document.activeElement))
    flushSync(() =>
      hold(id, async () => {
        try {
          const saved = await prove(send)
          onSent?.()
          await renew(saved)
          // Another entry’s Undo may be showing by now: leave it there.
          if (isSending && !isAnyHeld()) toast({ title: <>Sent</>, description, tone: 'ok' })
        } catch (error) {
          const why = error instanceof Error ? messageOf(error, 'Try again.') : 'Try again.'
          toast({ title: failure, description: why, tone: 'bad' })
        }
      }),
    )
    const left = listRows()
    if (at !== -1) focusRow(left[at] ?? left.at(-1))
    toast({
      // An element, because a text would be carried over to the page this one’s left for.
      title: <>{title}</>,
      description,
      duration: undoMs,
      action: {
        label: 'Undo',
        hint: 'Press u to undo',
        onPress: () => void (takeBack(id) || toast({ title: 'Too late to undo', description: title, tone: 'bad' })),
      },
    })
  }
}

export const useHidden = () => useSyncExternalStore(watchHidden, readHidden)

/** Leaving Today, or the browser, loses nothing: what’s waiting is sent now. */
export function useReleaseOnLeaving(): void {
  const toast = useToast()
  useEffect(() => {
    const leave = () => void releaseAll()
    const hide = () => void (document.visibilityState === 'hidden' && releaseAll())
    addEventListener('pagehide', leave)
    document.addEventListener('visibilitychange', hide)
    return () => {
      removeEventListener('pagehide', leave)
      document.removeEventListener('visibilitychange', hide)
      if (releaseAll()) toast({ title: 'Done', description: 'We’ve sent what you did on Today.' })
    }
  }, [toast])
}
