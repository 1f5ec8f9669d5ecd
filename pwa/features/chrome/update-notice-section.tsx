import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type AnyRouter, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { isPublicKey } from '#pwa/lib/query-client.ts'
import { hasUnsavedForm } from '#pwa/lib/reload.ts'
import { followServiceWorker } from '#pwa/lib/service-worker.ts'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'

/** A new version loads at a press; while a form is half filled in, only once its page is left. */
export function UpdateNotice() {
  const { load, dismiss } = useNewVersion()
  const { isDeferred, loadOrDefer } = useDeferral(load)
  if (!load) return null
  return (
    <Banner
      role="status"
      title="A new version is ready"
      action={
        !isDeferred && (
          <>
            <Button isSmall onClick={loadOrDefer}>
              Load it
            </Button>
            <Button look="bare" isSmall onClick={dismiss}>
              Later
            </Button>
          </>
        )
      }
    >
      {isDeferred ? 'It loads when you leave this page.' : 'Nothing you have typed is lost.'}
    </Banner>
  )
}

type Load = () => void

/** Fetches again what public pages show, and renders the open page with it. */
async function renewPage(queryClient: QueryClient, router: AnyRouter) {
  await queryClient.invalidateQueries({ predicate: ({ queryKey }) => isPublicKey(queryKey), refetchType: 'none' })
  await router.invalidate()
}

function useNewVersion() {
  const queryClient = useQueryClient()
  const router = useRouter()
  const [load, setLoad] = useState<Load>()
  const { look } = useSiteContent()
  useEffect(
    () =>
      followServiceWorker({
        look,
        onWaiting: (loadNow) => setLoad(() => loadNow),
        onRenewed: () => renewPage(queryClient, router),
      }),
    [queryClient, router, look],
  )
  return { load, dismiss: () => setLoad(undefined) }
}

function useDeferral(load: Load | undefined) {
  const router = useRouter()
  const [isDeferred, setDeferred] = useState(false)
  useEffect(() => {
    if (!isDeferred || !load) return
    return router.subscribe('onRendered', ({ pathChanged }) => {
      if (pathChanged) load()
    })
  }, [router, isDeferred, load])
  const loadOrDefer = () => {
    if (hasUnsavedForm()) setDeferred(true)
    else load?.()
  }
  return { isDeferred, loadOrDefer }
}
