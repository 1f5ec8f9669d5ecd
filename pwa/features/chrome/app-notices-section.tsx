import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { removeExpiredDrafts } from '#pwa/lib/draft.ts'
import { deviceStorage, pendingLogoutKey } from '#pwa/lib/storage.ts'
import { useHasStoredForms } from '#pwa/lib/stored-forms-flag.ts'
import { InstallPrompt } from './install-prompt-section.tsx'
import { UpdateNotice } from './update-notice-section.tsx'
import './app-notices.css'

const FormToasts = lazy(() => import('#pwa/features/forms/form-toasts-section.tsx'))

/** Messages about the app itself. Loaded after the page has started. */
function AppNotices() {
  usePendingLogout()
  useEffect(removeExpiredDrafts, [])
  const hasStoredForms = useHasStoredForms()
  return (
    <div className="notices">
      {hasStoredForms && (
        <Suspense>
          <FormToasts />
        </Suspense>
      )}
      <UpdateNotice />
      <InstallPrompt />
    </div>
  )
}

/** A logout that was made without signal is sent by the first page that opens. */
function usePendingLogout() {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (deviceStorage.getItem(pendingLogoutKey) === null) return
    import('#pwa/features/auth/session-store.ts').then(({ openSession }) => openSession(queryClient)).catch(reportError)
  }, [queryClient])
}

export default AppNotices
