import { Skeleton } from '#pwa/ui/skeleton.tsx'

export const BlogSkeleton = () => (
  <div className="waiting wrap page-section" role="status">
    <span className="vh">Loading…</span>
    <Skeleton size="figure" />
    <Skeleton isShort />
    <Skeleton size="block" />
  </div>
)
