import { useQueryClient } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { removeExpiredDrafts } from '#pwa/lib/draft.ts'
import { needsManualInstall, useIsGoodMoment } from '#pwa/lib/install.ts'
import { useInstallPrompt } from '#pwa/lib/install-offer.ts'
import { loadFile } from '#pwa/lib/load-file.ts'
import { deviceStorage, pendingLogoutKey } from '#pwa/lib/storage.ts'
import { useStorageTrouble } from '#pwa/lib/storage-trouble.ts'
import { useHasStoredForms } from '#pwa/lib/stored-forms-flag.ts'
import { unwiped, useUnwiped } from '#pwa/lib/unwiped.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { UpdateNotice } from './update-notice.tsx'
import './app-notices.css'

const storageKey = 'install-later'

/** Shown in the members' area after the first tick, until it's dismissed: how to put the app on the home screen. */
function InstallPrompt() {
  const isMembersArea = useRouterState({ select: ({ location }) => location.pathname === '/members' })
  const [isDismissed, setDismissed] = useState(() => deviceStorage.getItem(storageKey) !== null)
  const isGoodMoment = useIsGoodMoment()
  const install = useInstallPrompt()
  if (!isMembersArea || !isGoodMoment || isDismissed || !(install || needsManualInstall())) return null
  const dismiss = () => {
    deviceStorage.setItem(storageKey, '1')
    setDismissed(true)
  }
  return (
    <Banner
      icon={install ? 'down' : 'share'}
      title="Add us to your home screen"
      action={
        <>
          {install && (
            <Button isSmall onClick={() => install().then(dismiss, reportError)}>
              Install
            </Button>
          )}
          <Button look="bare" isSmall onClick={dismiss}>
            Not now
          </Button>
        </>
      }
    >
      {install
        ? 'It opens like an app, and your video list works without signal.'
        : 'Press Share in Safari, then “Add to Home Screen”. Your video list works without signal.'}
    </Banner>
  )
}

const FormToasts = lazy(() => loadFile(() => import('#pwa/features/forms/form-toasts.tsx')))

const StorageNotice = lazy(() => loadFile(() => import('./storage-notice.tsx')))
const UnwipedNotice = lazy(() => loadFile(() => import('./unwiped-notice.tsx')))

/** Messages about the app itself. Loads after the page has started. */
function AppNotices() {
  usePendingLogout()
  useEffect(removeExpiredDrafts, [])
  const hasStoredForms = useHasStoredForms()
  const trouble = useStorageTrouble()
  const left = useUnwiped()
  return (
    <div className="notices">
      {hasStoredForms && (
        <Suspense>
          <FormToasts />
        </Suspense>
      )}
      {trouble && (
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
      <InstallPrompt />
    </div>
  )
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
