import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { loadFile } from '#pwa/lib/load-file.ts'
import { ButtonLink } from '#pwa/ui/button.tsx'
import { NeedsApp } from '#pwa/ui/needs-app.tsx'
import type { Health } from '#shared/contract/health.ts'
import type { HealthText } from '#shared/contract/texts/health.ts'
import { HealthSkeleton, healthKey, healthSummaries, partsOf } from './health-skeleton.tsx'
import './health.css'

const HealthSection = lazy(() => loadFile(() => import('./health-section.tsx')))

/** Whether everything works. Caches store the page, so the report loads only in the browser. */
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
        <>
          <Loading />
          <NeedsApp />
        </>
      )}
      <noscript>
        <ReportOfTheServer />
      </noscript>
    </div>
  )
}

const ReportOfTheServer = () => {
  const health = useQueryClient().getQueryData<Health | null>(healthKey)
  if (!health) return null
  return (
    <div className="health">
      <p className="health__whole display caps">{healthSummaries[health.status]}</p>
      <dl className="health__parts">
        {partsOf(health.services).map(({ part, name, word }) => (
          <div key={part}>
            <dt>{name}</dt>
            <dd>{word}</dd>
          </div>
        ))}
      </dl>
      <p className="second">This is how it was when you opened the page. Refresh to see it now.</p>
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
