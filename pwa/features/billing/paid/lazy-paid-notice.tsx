import { lazy, Suspense } from 'react'
import { loadFile } from '#pwa/lib/load-file.ts'
import type { PaidNoticeProps } from './paid-notice.tsx'

/** If it can't load, the page does without: the receipt also comes by email. */
const PaidNotice = lazy(() => loadFile(() => import('./paid-notice.tsx')).catch(() => ({ default: () => null })))

/** The notice of a payment just made. Loads only after a payment, and needs signal for its invoice. */
export const LazyPaidNotice = (props: PaidNoticeProps) => (
  <Suspense fallback={null}>
    <PaidNotice {...props} />
  </Suspense>
)
