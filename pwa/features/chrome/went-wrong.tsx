import { type ErrorComponentProps, useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { RequestError } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button, ButtonLink } from '#pwa/ui/button.tsx'

/** A page that could not be shown. What was typed elsewhere and what waits on this device is kept. */
export const WentWrong = ({ error }: ErrorComponentProps) => {
  const router = useRouter()
  // Loads again what could not be loaded, and then draws the page again.
  const retry = () => router.invalidate()
  if (error instanceof RequestError && error.code === 'offline') return <NoSignal retry={retry} />
  return (
    <section className="job">
      <div className="wrap">
        <p className="job__no">Stopped</p>
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

/**
 * The page's words are not in the app's memory. As a whole page this device may have it all the same, so that is asked for
 * first; the shell, which comes where it has none, does not ask again.
 */
const NoSignal = ({ retry }: { retry: () => void }) => {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  useEffect(() => {
    const isAsked = document.getElementById('root')?.dataset.page === 'shell'
    if (!isAsked && navigator.serviceWorker?.controller) window.location.replace(path)
  }, [path])
  return (
    <section className="job">
      <div className="wrap">
        <p className="job__no">No signal</p>
        <div className="job__head">
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
