import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { sweepDrafts } from '#pwa/lib/draft.ts'
import { useFormsKept } from '#pwa/lib/forms-kept.ts'
import { owedLogoutKey } from '#pwa/lib/owed-logout.ts'
import { deviceStorage } from '#pwa/lib/storage.ts'
import { InstallPrompt } from './install-prompt-section.tsx'
import { UpdateNotice } from './update-notice-section.tsx'
import './app-notices.css'

const FormToasts = lazy(() => import('#pwa/features/forms/form-toasts-section.tsx'))

/** Messages about the app itself. Loaded after the page has started. */
function AppNotices() {
  usePendingLogout()
  useEffect(sweepDrafts, [])
  const areFormsKept = useFormsKept()
  return (
    <div className="notices">
      {areFormsKept && (
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
    if (deviceStorage.getItem(owedLogoutKey) === null) return
    import('#pwa/features/auth/session-store.ts').then(({ openSession }) => openSession(queryClient)).catch(reportError)
  }, [queryClient])
}

export default AppNotices
