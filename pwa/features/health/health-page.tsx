import { lazy, Suspense, useEffect, useState } from 'react'
import { Bone } from '#pwa/ui/bone.tsx'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import { PageTop } from '#pwa/ui/page-top.tsx'
import type { HealthText } from '#shared/contract/texts/health.ts'

const HealthPanel = lazy(() => import('./health-panel.tsx'))

/** Whether everything works. The page is kept by caches, so what it reports comes only in the browser. */
export const HealthPage = ({ text }: { text: HealthText }) => (
  <>
    <PageTop heading={text.heading} lead={text.lead} />
    <section className="job job--follows">
      <div className="wrap">
        <p className="job__no">The gauges</p>
        <h2 className="vh">Parts</h2>
        <Report />
        <div className="acts under">
          <ButtonLink to="/membership-application" look="line">
            Test the membership form
          </ButtonLink>
          <ButtonLink to="/contact" look="line">
            Test the contact form
          </ButtonLink>
        </div>
      </div>
    </section>
  </>
)

const Report = () => {
  const [hasStarted, setStarted] = useState(false)
  useEffect(() => setStarted(true), [])
  return (
    <div>
      {hasStarted ? (
        <Suspense fallback={<HealthBones />}>
          <HealthPanel />
        </Suspense>
      ) : (
        <HealthBones />
      )}
      <noscript>
        <p>
          This page needs JavaScript to ask the server.{' '}
          <TextAnchor href="/api/health">The server’s plain answer</TextAnchor> does not.
        </p>
      </noscript>
    </div>
  )
}

const HealthBones = () => (
  <div className="stack" role="status">
    <span className="vh">Loading…</span>
    <Bone size="title" />
    <Bone size="block" />
  </div>
)
