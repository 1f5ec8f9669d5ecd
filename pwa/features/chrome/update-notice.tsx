import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { isFormInHand } from '#pwa/lib/form-in-hand.ts'
import { followServiceWorker } from '#pwa/lib/service-worker.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'

/** Says that a new version is ready. It loads at a press, and over a half-filled form only once that is left. */
export const UpdateNotice = () => {
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

const useNewVersion = () => {
  const queryClient = useQueryClient()
  const [load, setLoad] = useState<Load>()
  useEffect(
    () =>
      followServiceWorker({
        onWaiting: (loadNow) => setLoad(() => loadNow),
        onRenewed: () => queryClient.invalidateQueries({ queryKey: ['membership-tiers'] }),
      }),
    [queryClient],
  )
  return { load, dismiss: () => setLoad(undefined) }
}

const useDeferral = (load: Load | undefined) => {
  const router = useRouter()
  const [isDeferred, setDeferred] = useState(false)
  useEffect(() => {
    if (!isDeferred || !load) return
    return router.subscribe('onRendered', ({ pathChanged }) => {
      if (pathChanged) load()
    })
  }, [router, isDeferred, load])
  const loadOrDefer = () => {
    if (isFormInHand()) setDeferred(true)
    else load?.()
  }
  return { isDeferred, loadOrDefer }
}
