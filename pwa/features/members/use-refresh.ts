import { useCallback, useEffect, useRef, useState } from 'react'
import { RequestError } from '#pwa/lib/request-error.ts'

/** How it stands with something that is shown from this device and renewed behind. */
export type Refresh = { isBusy: boolean; problem: Error | null; again: () => void }

/**
 * Does `work` now, whenever signal returns, and when asked, but never without signal; only the last one started counts.
 * `work` must not change between renders; null is nothing to do.
 */
export function useRefresh(work: (() => Promise<void>) | null): Refresh {
  const [state, setState] = useState<Omit<Refresh, 'again'>>({ isBusy: true, problem: null })
  const turns = useRef(0)
  const again = useCallback(() => {
    turns.current += 1
    const turn = turns.current
    const settle = (error: unknown) => {
      if (turn === turns.current) setState({ isBusy: false, problem: error === null ? null : asProblem(error) })
    }
    if (work === null) return settle(null)
    if (!navigator.onLine) return settle(noSignal)
    // Signal is back; anything else that went wrong stands until it is put right.
    setState(({ problem }) => ({ isBusy: true, problem: problem === noSignal ? null : problem }))
    work().then(() => settle(null), settle)
  }, [work])
  useEffect(() => {
    again()
    window.addEventListener('online', again)
    return () => {
      turns.current += 1
      window.removeEventListener('online', again)
    }
  }, [again])
  return { ...state, again }
}

const noSignal = new RequestError({
  status: 0,
  code: 'offline',
  message: '0: No signal',
  text: 'There is no signal.',
})

/** Anything but a call without success is a fault of this program, and is told as such. */
function asProblem(error: unknown): Error {
  if (!(error instanceof RequestError)) reportError(error)
  return error instanceof Error ? error : new Error(String(error))
}

/** The server has said that nobody is logged in. */
export const saysLoggedOut = ({ problem }: Pick<Refresh, 'problem'>): boolean =>
  problem instanceof RequestError && problem.code === 'unauthenticated'
