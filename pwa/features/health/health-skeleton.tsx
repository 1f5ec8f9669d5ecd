import { Skeleton } from '#pwa/ui/skeleton.tsx'

/** The parts of the system, in the order in which they are shown. */
export const healthParts = [
  { part: 'database', name: 'Database' },
  { part: 'payments', name: 'Payments' },
  { part: 'email', name: 'E-mail' },
  { part: 'jobs', name: 'Background jobs' },
  { part: 'backup', name: 'Backup' },
] as const

/** As high as the report that replaces it, so that nothing moves. */
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
