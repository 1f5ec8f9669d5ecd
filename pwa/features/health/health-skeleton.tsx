import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { healthParts } from './health-parts.ts'

/** Stands in for the report, and is as high. */
export const HealthSkeleton = () => (
  <div className="health" role="status">
    <span className="vh">Loading…</span>
    <div className="health__whole">
      <Skeleton size="title" isShort />
    </div>
    <div className="health__parts">
      {healthParts.map(({ part }) => (
        <div key={part}>
          <Skeleton isShort />
        </div>
      ))}
    </div>
    <div className="second">
      <Skeleton isShort />
    </div>
  </div>
)
