import { Skeleton } from '#pwa/ui/skeleton.tsx'
import type { Health } from '#shared/contract/health.ts'

/** The report's query key. On the server it's there from the start. */
export const healthKey = ['health'] as const

export const healthParts = [
  { part: 'database', name: 'Database' },
  { part: 'payments', name: 'Payments' },
  { part: 'email', name: 'Email' },
  { part: 'jobs', name: 'Background jobs' },
] as const

/** These only appear if an owner has asked for them, and logins only while they're slow. */
const askedParts = [
  { part: 'reports', name: 'Scheduled reports' },
  { part: 'backups', name: 'Nightly backup' },
  { part: 'logins', name: 'Logins' },
] as const

export const partsOf = (services: Health['services']) =>
  [...healthParts, ...askedParts].flatMap(({ part, name }) => {
    const word = services[part]
    return word === undefined ? [] : [{ part, name, word }]
  })

/** The overall state in a word or two. */
export const healthSummaries = { ok: 'All good', error: 'Something’s broken' }

/** The same height as the report that replaces it, so that nothing moves. */
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
