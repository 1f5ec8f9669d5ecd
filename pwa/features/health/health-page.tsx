import { lazy, Suspense, useEffect, useState } from 'react'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import type { HealthText } from '#shared/contract/texts/health.ts'
import { HealthSkeleton } from './health-skeleton.tsx'
import './health.css'

const HealthSection = lazy(() => import('./health-section.tsx'))

/** Whether everything works. Caches store the page, so the report is loaded in the browser alone. */
export const HealthPage = ({ text }: { text: HealthText }) => (
  <section className="page-section">
    <div className="wrap">
      <p className="page-section__no">The gauges</p>
      <div className="page-section__head">
        <h1>{text.heading}</h1>
        <p className="lead">{text.lead}</p>
      </div>
      <Report />
    </div>
  </section>
)

const Report = () => {
  const [hasStarted, setStarted] = useState(false)
  useEffect(() => setStarted(true), [])
  return (
    <div>
      {hasStarted ? (
        <Suspense fallback={<Loading />}>
          <HealthSection>
            <FormTests />
          </HealthSection>
        </Suspense>
      ) : (
        <Loading />
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

const Loading = () => (
  <div className="health">
    <HealthSkeleton />
    <div className="acts">
      <FormTests />
    </div>
  </div>
)

const FormTests = () => (
  <>
    <ButtonLink to="/membership-application" look="line">
      Test the membership form
    </ButtonLink>
    <ButtonLink to="/contact" look="line">
      Test the contact form
    </ButtonLink>
  </>
)
