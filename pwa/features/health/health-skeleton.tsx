import { Skeleton } from '#pwa/ui/skeleton.tsx'
import type { Health } from '#shared/contract/health.ts'

/** Where the report is cached. On the server it is there from the start. */
export const healthKey = ['health'] as const

/** The parts of the system, in the order in which they are shown. */
export const healthParts = [
  { part: 'database', name: 'Database' },
  { part: 'payments', name: 'Payments' },
  { part: 'email', name: 'Email' },
  { part: 'jobs', name: 'Background jobs' },
] as const

/** The owners' reports by cron stand there only where they are watched. */
export const partsOf = (services: Health['services']) =>
  [...healthParts, { part: 'reports', name: 'Reports by cron' } as const].flatMap(({ part, name }) => {
    const word = services[part]
    return word === undefined ? [] : [{ part, name, word }]
  })

/** The whole in a word or two. */
export const healthSummaries = { ok: 'All in order', error: 'Something is broken' }

/** As high as the report that replaces it, so that nothing moves. */
export const HealthSkeleton = () => (
  <div className="health health__wait" role="status">
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
