import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { pageTextQuery } from '#pwa/lib/text-page.ts'

/** The contact form waits for signal as ticks do, so its page is on the phone before anyone needs it there. */
export function useContactForm(isReady: boolean): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (!isReady) return
    // For a link of this page; the worker keeps the whole page for its address.
    void queryClient.prefetchQuery(pageTextQuery('contact'))
    const tell = ({ active }: ServiceWorkerRegistration) => active?.postMessage({ type: 'page-seen', path: '/contact' })
    navigator.serviceWorker?.ready.then(tell, reportError)
  }, [queryClient, isReady])
}
