import { lazy, Suspense } from 'react'
import type { PaidSlipProps } from './paid-slip-section.tsx'

/** Where it cannot be loaded the page does without: the receipt comes by mail as well. */
const PaidSlip = lazy(() => import('./paid-slip-section.tsx').catch(() => ({ default: () => null })))

/** The slip of a payment just made. It is loaded after a payment alone, and needs signal for its invoice. */
export const LazyPaidSlip = (props: PaidSlipProps) => (
  <Suspense fallback={null}>
    <PaidSlip {...props} />
  </Suspense>
)
