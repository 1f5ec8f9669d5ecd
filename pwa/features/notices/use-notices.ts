import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { type AuthSession, useSession } from '#pwa/features/auth/session-store.ts'
import { loadFile } from '#pwa/lib/load-file.ts'
import { openNoticeMessage } from '#pwa/lib/notice-messages.ts'

const mark = /^#?notice=([\da-f-]{36})$/

const loadRenewal = () => loadFile(() => import('./renewal-queries.ts'))

/** Without signal nothing is lost: the next opening does it. */
const ignore = () => {}

/** On every page of the members' area: renews this phone's notices once an opening, and goes where a pressed one leads. */
export function useNotices(): void {
  const session = useSession()
  const router = useRouter()
  useEffect(() => {
    if (
      session === null ||
      hasRenewed.has(session) ||
      !('Notification' in window) ||
      Notification.permission !== 'granted'
    )
      return
    hasRenewed.add(session)
    loadRenewal()
      .then(({ renewNotices }) => renewNotices(session))
      .catch(ignore)
  }, [session])
  useEffect(() => {
    if (session === null) return
    const tell = (hash: string) => {
      const id = mark.exec(hash)?.[1]
      if (id === undefined) return
      router.navigate({ to: '.', search: true, hash: '', replace: true }).catch(reportError)
      loadRenewal()
        .then(({ tellOpened }) => tellOpened(session, id))
        .catch(ignore)
    }
    tell(router.state.location.hash)
    return router.subscribe('onResolved', ({ toLocation }) => tell(toLocation.hash))
  }, [router, session])
  useEffect(() => {
    const worker = navigator.serviceWorker
    const go = ({ data, ports }: MessageEvent) => {
      if (data?.type !== openNoticeMessage) return
      ports[0]?.postMessage('going')
      const { pathname, search, hash } = new URL(data.target)
      router.history.push(`${pathname}${search}${hash}`)
    }
    worker?.addEventListener('message', go)
    return () => worker?.removeEventListener('message', go)
  }, [router])
}

const hasRenewed = new WeakSet<AuthSession>()
