import { lazy, Suspense } from 'react'
import type { AuthSession } from '#pwa/features/auth/session-store.ts'
import { useSavedAt } from '#pwa/sync/hooks.ts'
import { Button } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import type { SessionUser } from '#shared/contract/auth.ts'
import type { BillingSubscription } from '#shared/contract/billing.ts'
import { BillingPanel } from './billing-panel.tsx'
import type { Returned } from './returned.ts'

const BillingDesk = lazy(() => import('./billing-desk.tsx'))

type Props = {
  /** Undefined or null while there is none on this device. */
  billing: BillingSubscription | null | undefined
  session: AuthSession
  user: SessionUser
  /** From the bank's page. */
  returned: Returned | null
  problem: Error | null
  hasSignal: boolean
  onRetry: () => void
}

/** Billing as last answered; before the first answer, why it is not here. */
export function BillingTab({ billing, problem, hasSignal, onRetry, ...whose }: Props) {
  const savedAt = useSavedAt('billing') ?? null
  const asOf = hasSignal && problem === null ? null : savedAt
  if (billing)
    return (
      <Suspense fallback={<BillingPanel billing={billing} asOf={asOf} />}>
        <BillingDesk {...{ billing, asOf, hasSignal }} {...whose} />
      </Suspense>
    )
  if (!hasSignal)
    return <EmptyState title="Needs signal">Your billing shows here as soon as you are back in range.</EmptyState>
  if (problem)
    return (
      <EmptyState
        title="Your billing could not be loaded"
        action={
          <Button look="line" isSmall icon="sync" onClick={onRetry}>
            Retry
          </Button>
        }
      >
        Nothing about your membership has changed.
      </EmptyState>
    )
  return (
    <div className="sheet billing" role="status" aria-label="Loading your billing">
      <Skeleton size="title" isShort />
      <Skeleton />
      <Skeleton size="block" />
    </div>
  )
}
