import type { ReactNode } from 'react'
import { AuthPage } from '#pwa/features/auth/auth-page.tsx'
import { isOffline } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'

type Failure = { error: Error; isFetching: boolean; onRetry: () => void; children: ReactNode }

/** A billing page that couldn't load: there's no signal, or it's our fault. */
export const LoadFailedPage = ({ title, ...failure }: Failure & { title: string }) => (
  <AuthPage title={isOffline(failure.error) ? 'You need signal' : title}>
    <LoadFailedBanner {...failure} />
  </AuthPage>
)

export const LoadFailedBanner = ({ error, isFetching, onRetry, children }: Failure) => (
  <Banner
    tone={isOffline(error) ? 'plain' : 'bad'}
    icon={isOffline(error) ? 'nosignal' : 'warn'}
    title={isOffline(error) ? 'You need signal for this' : 'Something’s wrong at our end'}
    action={
      <Button look="line" isSmall icon="sync" isBusy={isFetching} busyLabel="Trying again…" onClick={onRetry}>
        Try again
      </Button>
    }
  >
    {children}
  </Banner>
)
