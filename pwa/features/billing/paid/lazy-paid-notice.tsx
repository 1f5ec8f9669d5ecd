import { Suspense } from 'react'
import { lazyExtra } from '#pwa/lib/lazy-extra.tsx'
import type { PaidNoticeProps } from './paid-notice.tsx'

/** If it can't load, the page does without: the receipt also comes by email. */
const PaidNotice = lazyExtra(() => import('./paid-notice.tsx'))

/** The notice of a payment just made. Loads only after a payment, and needs signal for its invoice. */
export const LazyPaidNotice = (props: PaidNoticeProps) => (
  <Suspense fallback={null}>
    <PaidNotice {...props} />
  </Suspense>
)
