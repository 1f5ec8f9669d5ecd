import { useQueryClient } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { removeExpiredDrafts } from '#pwa/lib/draft.ts'
import { isInstallDue, useWantedInstall } from '#pwa/lib/install.ts'
import { lazyExtra } from '#pwa/lib/lazy-extra.tsx'
import { loadFile } from '#pwa/lib/load-file.ts'
import { deviceStorage, pendingLogoutKey } from '#pwa/lib/storage.ts'
import { useStorageTrouble } from '#pwa/lib/storage-trouble.ts'
import { useHasStoredForms } from '#pwa/lib/stored-forms-flag.ts'
import { unwiped, useUnwiped } from '#pwa/lib/unwiped.ts'
import { UpdateNotice } from './update-notice.tsx'
import './app-notices.css'

const FormToasts = lazyExtra(() => import('#pwa/features/forms/form-toasts.tsx'))

const InstallNotice = lazyExtra(() => import('./install-notice.tsx'))
const StorageNotice = lazyExtra(() => import('./storage-notice.tsx'))
const UnwipedNotice = lazyExtra(() => import('./unwiped-notice.tsx'))

/** Where a question is written the form says it itself: over the page the notice would cover Send. */
const isAsking = (path: string) => /^\/members\/(ask|questions\/)/.test(path)

/** Messages about the app itself. Loads after the page has started. */
function AppNotices() {
  usePendingLogout()
  useEffect(removeExpiredDrafts, [])
  const hasStoredForms = useHasStoredForms()
  const trouble = useStorageTrouble()
  const isSaidThere = useRouterState({ select: ({ location }) => isAsking(location.pathname) })
  const left = useUnwiped()
  return (
    <div className="notices">
      {hasStoredForms && (
        <Suspense>
          <FormToasts />
        </Suspense>
      )}
      {trouble && !isSaidThere && (
        <Suspense>
          <StorageNotice trouble={trouble} />
        </Suspense>
      )}
      {left && (
        <Suspense>
          <UnwipedNotice left={left} />
        </Suspense>
      )}
      <UpdateNotice />
      <Install />
    </div>
  )
}

function Install() {
  const isList = useRouterState({ select: ({ location }) => location.pathname === '/members' })
  const [isDue] = useState(isInstallDue)
  const wanted = useWantedInstall()
  return wanted !== null || (isDue && isList) ? (
    <Suspense>
      <InstallNotice isAsked={wanted === 'steps'} />
    </Suspense>
  ) : null
}

/** The first page to open sends a logout that was made without signal, and deletes what one couldn't. */
function usePendingLogout() {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (deviceStorage.getItem(pendingLogoutKey) === null && unwiped.read().length === 0) return
    loadFile(() => import('#pwa/features/auth/session-store.ts'))
      .then(({ openSession }) => openSession(queryClient))
      .catch(reportError)
  }, [queryClient])
}

export default AppNotices
