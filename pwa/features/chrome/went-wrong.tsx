import type { ErrorComponentProps } from '@tanstack/react-router'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'

/** A page that could not be shown. What was typed elsewhere and what waits on this device is kept. */
export const WentWrong = ({ reset }: ErrorComponentProps) => (
  <section className="job">
    <div className="wrap">
      <p className="job__no">Stopped</p>
      <Banner
        tone="bad"
        role="alert"
        title="This page could not be shown"
        action={
          <Button isSmall icon="sync" onClick={reset}>
            Try again
          </Button>
        }
      >
        Nothing you have sent is lost. If it happens again, reload the page.
      </Banner>
    </div>
  </section>
)
