import { Skeleton } from '#pwa/ui/skeleton.tsx'

export const AdminSkeleton = () => (
  <div className="wrap" role="status" aria-label="Loading the admin">
    <Skeleton size="figure" isShort />
    <Skeleton size="block" />
  </div>
)
