import { lazy, Suspense } from 'react'
import type { PaidNoticeProps } from './paid-notice.tsx'

/** Where it cannot be loaded the page does without: the receipt comes by mail as well. */
const PaidNotice = lazy(() => import('./paid-notice.tsx').catch(() => ({ default: () => null })))

/** The notice of a payment just made. It is loaded after a payment alone, and needs signal for its invoice. */
export const LazyPaidNotice = (props: PaidNoticeProps) => (
  <Suspense fallback={null}>
    <PaidNotice {...props} />
  </Suspense>
)
