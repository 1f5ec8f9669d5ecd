import { type ErrorComponentProps, useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isOfFile, isServerThere } from '#pwa/lib/load-file.ts'
import { isOffline } from '#pwa/lib/request-error.ts'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { useBackInRange } from '#pwa/lib/use-back-in-range.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button, ButtonLink } from '#pwa/ui/button.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import type { QuotientText } from '#shared/contract/texts/quotient.ts'
import { SiteBody, useFrame } from './site-body.tsx'

/** Shown instead of a page that failed. Input elsewhere and anything unsent on this device is kept. */
export function ErrorPage(props: ErrorComponentProps) {
  const page = <StoppedPage {...props} />
  // It takes the place of a frame the page brought.
  return useFrame() === 'site' ? page : <SiteBody>{page}</SiteBody>
}

function StoppedPage({ error }: ErrorComponentProps) {
  const router = useRouter()
  const retry = () => {
    if (isOfFile(error)) isServerThere().then((isThere) => isThere && window.location.reload())
    else router.invalidate()
  }
  if (isOffline(error)) return <OfflinePage retry={retry} />
  return (
    <section className="page-section">
      <div className="wrap">
        <p className="page-section__no">Stopped</p>
        <Banner
          tone="bad"
          role="alert"
          title="We couldn’t show this page"
          action={
            <Button isSmall icon="sync" onClick={retry}>
              Try again
            </Button>
          }
        >
          Anything you’ve sent is safe. If it happens again, refresh the page.
        </Banner>
      </div>
    </section>
  )
}

/** Whether this document is the page at that path: requesting it again would return the same. */
function isDocumentOf(path: string) {
  const [navigation] = performance.getEntriesByType('navigation')
  const isWhole = document.getElementById('root')?.dataset.page === 'page'
  return isWhole && navigation !== undefined && new URL(navigation.name).pathname === path
}

/** The app hasn't loaded this page, but the service worker may have it cached as a whole document. If so, we open that. */
function OfflinePage({ retry }: { retry: () => void }) {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  useEffect(() => {
    const openCached = async () => {
      if (!isDocumentOf(path) && navigator.serviceWorker?.controller && (await caches.match(path)))
        window.location.replace(path)
    }
    openCached().catch(reportError)
  }, [path])
  useBackInRange(true, retry)
  return (
    <section className="page-section">
      <div className="wrap">
        <p className="page-section__no">No signal</p>
        <div className="page-section__head">
          <h1>Not on this phone yet</h1>
          <p className="lead">Pages you’ve opened work without signal. Try this one when you’re back in range.</p>
        </div>
        <div className="acts">
          <Button icon="sync" onClick={retry}>
            Try again
          </Button>
          <ButtonLink to="/members" look="bare">
            Members
          </ButtonLink>
          <ButtonLink to="/" look="bare">
            Home
          </ButtonLink>
        </div>
      </div>
    </section>
  )
}

type Props = { quotient: QuotientText['success']['help'] }

/** Shown without JavaScript instead of a page that only the browser can render. */
export function NoScriptPage({ quotient: { email, phone } }: Props) {
  const { coaches } = useSiteContent()
  return (
    <noscript>
      <section className="page-section">
        <div className="wrap">
          <p className="page-section__no">No JavaScript</p>
          <div className="page-section__head">
            <h1>This page needs JavaScript</h1>
            <p className="lead">Switch it on in your browser’s settings and refresh the page.</p>
            <p>
              To join, pay or come back without it, email a coach:{' '}
              {coaches.map(({ email: address }, index) => (
                <span key={address}>
                  {index > 0 && ' or '}
                  <TextAnchor href={`mailto:${address}`}>{address}</TextAnchor>
                </span>
              ))}
              . For a Quotient setup, email <TextAnchor href={`mailto:${email}`}>{email}</TextAnchor> or ring{' '}
              <TextAnchor href={`tel:${phone.replace(/[^\d+]/g, '')}`}>{phone}</TextAnchor>.
            </p>
            <p className="second">The public pages work without it.</p>
          </div>
        </div>
      </section>
    </noscript>
  )
}
