import type { ReactNode } from 'react'
import { AuthPage } from '#pwa/features/auth/auth-page.tsx'
import { RequestError } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'

type Unanswered = { error: Error; isFetching: boolean; onRetry: () => void; children: ReactNode }

const isOffline = (error: Error) => error instanceof RequestError && error.code === 'offline'

/** A page about money that could not ask the site: without signal, or because of a fault on our side. */
export const NotReached = ({ title, ...unanswered }: Unanswered & { title: string }) => (
  <AuthPage title={isOffline(unanswered.error) ? 'Needs signal' : title}>
    <TryAgain {...unanswered} />
  </AuthPage>
)

/** The same as a part of a page. */
export const TryAgain = ({ error, isFetching, onRetry, children }: Unanswered) => (
  <Banner
    tone={isOffline(error) ? 'plain' : 'bad'}
    icon={isOffline(error) ? 'nosignal' : 'warn'}
    title={isOffline(error) ? 'Billing needs signal' : 'That is on our side'}
    action={
      <Button look="line" isSmall icon="sync" isBusy={isFetching} busyLabel="Trying again…" onClick={onRetry}>
        Try again
      </Button>
    }
  >
    {children}
  </Banner>
)
