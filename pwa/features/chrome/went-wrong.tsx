import { type ErrorComponentProps, useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { RequestError } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button, ButtonLink } from '#pwa/ui/button.tsx'

/** Either the words of the page or its script did not come. */
const isForWantOfSignal = (error: unknown) =>
  error instanceof RequestError
    ? error.code === 'offline'
    : error instanceof Error && /dynamically imported module|module script|Unable to preload/.test(error.message)

/** A page that could not be shown. What was typed elsewhere and what waits on this device is kept. */
export function WentWrong({ error }: ErrorComponentProps) {
  const router = useRouter()
  // Loads again what could not be loaded, and then draws the page again.
  const retry = () => router.invalidate()
  if (isForWantOfSignal(error)) return <NoSignal retry={retry} />
  return (
    <section className="page-section">
      <div className="wrap">
        <p className="page-section__no">Stopped</p>
        <Banner
          tone="bad"
          role="alert"
          title="This page could not be shown"
          action={
            <Button isSmall icon="sync" onClick={retry}>
              Try again
            </Button>
          }
        >
          Nothing you have sent is lost. If it happens again, reload the page.
        </Banner>
      </div>
    </section>
  )
}

/** This very document was sent as the page at that path: asking for it again would bring the same. */
function isDocumentOf(path: string) {
  const [navigation] = performance.getEntriesByType('navigation')
  const isWhole = document.getElementById('root')?.dataset.page === 'page'
  return isWhole && navigation !== undefined && new URL(navigation.name).pathname === path
}

/**
 * What the page needs is not in the app's memory. As a whole page this device may have it all the same, kept by the service
 * worker, which then answers at once.
 */
function NoSignal({ retry }: { retry: () => void }) {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  useEffect(() => {
    const open = async () => {
      if (!isDocumentOf(path) && navigator.serviceWorker?.controller && (await caches.match(path)))
        window.location.replace(path)
    }
    open().catch(reportError)
  }, [path])
  return (
    <section className="page-section">
      <div className="wrap">
        <p className="page-section__no">No signal</p>
        <div className="page-section__head">
          <h1>Not on this phone yet</h1>
          <p className="lead">
            Pages you have seen can be read without signal. This one was not opened before, so it has to wait until you
            are back in range.
          </p>
        </div>
        <div className="acts">
          <Button icon="sync" onClick={retry}>
            Try again
          </Button>
          <ButtonLink to="/" look="bare">
            Front page
          </ButtonLink>
        </div>
      </div>
    </section>
  )
}
