import { Skeleton } from '#pwa/ui/skeleton.tsx'

/** Where a form for a card, or for another way to pay, is about to come. */
export const FormSkeleton = () => (
  <div className="pay__form" role="status">
    <span className="vh">Getting the payment form ready</span>
    <Skeleton size="button" />
    <Skeleton size="button" />
    <Skeleton size="button" isShort />
    <Skeleton size="button" />
  </div>
)
