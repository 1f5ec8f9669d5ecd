import type { Rule } from './place.ts'

export type Exception = { path: string; rule: Rule; reason: string }

const loadedAlone = 'loaded when one of its paths is first requested, and by then without any other feature'
const loadsGroups = 'names what its commands load, so that the terminal starts without their code'

/** An exception that's no longer needed is a finding too. */
export const exceptions: readonly Exception[] = [
  { path: 'api/features/audit/routes.ts', rule: 'small-file', reason: loadedAlone },
  { path: 'api/features/follow-ups/routes.ts', rule: 'small-file', reason: loadedAlone },
  { path: 'api/features/health/routes.ts', rule: 'small-file', reason: loadedAlone },
  { path: 'api/features/jobs/routes.ts', rule: 'small-file', reason: loadedAlone },
  { path: 'api/features/owners/routes.ts', rule: 'small-file', reason: loadedAlone },
  { path: 'api/features/today/routes.ts', rule: 'small-file', reason: loadedAlone },
  {
    path: 'api/features/calendar/jobs.ts',
    rule: 'small-file',
    reason: 'a job of the feature, which is named by the table of jobs, and that belongs to no feature',
  },
  {
    path: 'api/features/brand/look-rules.ts',
    rule: 'small-file',
    reason: 'the content names the look of its brand, and the brand’s own service reads the content',
  },
  { path: 'cli/commands/commission/commission.ts', rule: 'small-file', reason: loadsGroups },
  { path: 'cli/commands/invoices/invoices.ts', rule: 'small-file', reason: loadsGroups },
  { path: 'cli/commands/members/members.ts', rule: 'small-file', reason: loadsGroups },
  {
    path: 'shared/contract/whats-new.ts',
    rule: 'small-file',
    reason: 'read by the notice of a new version, which every page may load: the other contracts would come along',
  },
]
