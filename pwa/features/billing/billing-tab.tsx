import { type ComponentProps, lazy, Suspense } from 'react'
import { UntilWeak } from '#pwa/features/chrome/until-weak.tsx'
import { loadFile } from '#pwa/lib/load-file.ts'
import { useIsSignalWeak } from '#pwa/lib/weak-signal.ts'
import { Button } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import type { BillingSubscription } from '#shared/contract/billing.ts'
import { SubscriptionPanel } from './subscription.tsx'

const BillingOverview = lazy(() => loadFile(() => import('./billing-overview.tsx')))

type Props = Omit<ComponentProps<typeof BillingOverview>, 'billing' | 'asOf'> & {
  /** Undefined or null while this device has none. */
  billing: BillingSubscription | null | undefined
  /** Milliseconds: when this device received it. */
  savedAt: number | null
  problem: Error | null
  onRetry: () => void
}

export function BillingTab({ billing, savedAt, problem, onRetry, ...props }: Props) {
  const { hasSignal } = props
  const isWeak = useIsSignalWeak()
  const asOf = hasSignal && !isWeak && problem === null ? null : savedAt
  if (billing)
    return (
      <Suspense fallback={<SubscriptionPanel billing={billing} asOf={asOf} />}>
        <BillingOverview billing={billing} asOf={asOf} {...props} />
      </Suspense>
    )
  if (!hasSignal)
    return <EmptyState title="You need signal">Your billing will show here when you’re back in range.</EmptyState>
  if (problem)
    return (
      <EmptyState
        title="We couldn’t load your billing"
        action={
          <Button look="line" isSmall icon="sync" onClick={onRetry}>
            Retry
          </Button>
        }
      >
        Your membership hasn’t changed.
      </EmptyState>
    )
  return <UntilWeak skeleton={<BillingSkeleton />} />
}

const BillingSkeleton = () => (
  <div className="sheet billing" role="status" aria-label="Loading your billing">
    <Skeleton size="title" isShort />
    <Skeleton />
    <Skeleton size="block" />
  </div>
)
