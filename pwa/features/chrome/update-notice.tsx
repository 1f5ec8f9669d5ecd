import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type AnyRouter, useRouter } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { lazyExtra } from '#pwa/lib/lazy-extra.tsx'
import { isPublicKey } from '#pwa/lib/query-client.ts'
import { followServiceWorker } from '#pwa/lib/service-worker.ts'
import { useSiteContent } from '#pwa/lib/site-content.tsx'

const NewVersion = lazyExtra(() => import('./new-version.tsx'))

type Load = () => void

export function UpdateNotice() {
  const { load, dismiss } = useNewVersion()
  return (
    load && (
      <Suspense>
        <NewVersion load={load} onLater={dismiss} />
      </Suspense>
    )
  )
}

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
