import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'

/** The slowest files, for when there's no record of an earlier run. If one started last, we'd wait for it alone. */
const longest = [
  'cli/update.test.ts',
  'api/features/reconcile/year.test.ts',
  'api/features/imports/stripe-account.test.ts',
  'api/features/reconcile/killed.test.ts',
  'api/features/reconcile/histories.test.ts',
  'pwa/sync/progress/phones.test.ts',
  'api/features/site/content/content-injection.test.ts',
  'cli/command-matrix.test.ts',
  'pwa/sync/progress/positions.test.ts',
  'pwa/sync/progress/restored.test.ts',
  'cli/takeover.test.ts',
  'api/mail/outage.test.ts',
  'cli/concurrent.test.ts',
  'cli/cron.test.ts',
  'api/features/videos/shelf/making.test.ts',
  'api/features/mail/mail.test.ts',
  'api/server.test.ts',
  'cli/commands/export.test.ts',
  'api/features/docs/fuzz.test.ts',
  'api/features/invoices/pdf-service.test.ts',
  'api/db/plans.test.ts',
  'cli/transports.test.ts',
  'api/http/naive-lists.test.ts',
  'api/features/billing/billing.test.ts',
  'api/features/billing-mails/billing-mails.test.ts',
  'api/features/invoices/issue.test.ts',
  'api/features/earnings/commission/ledger.test.ts',
  'cli/commands/backup/backup.test.ts',
  'api/http/guards.test.ts',
]

/** A worker ends when the next file is from another project, and loading the API again takes seconds. So group them. */
const projects = ['server', 'pages', 'screens']

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const begun = longest.flatMap((file) => sorted.filter(({ moduleId }) => moduleId.endsWith(file)))
    const ordered = [...begun, ...sorted.filter((file) => !begun.includes(file))]
    const index = ({ project }: TestSpecification) => projects.indexOf(project.name)
    return ordered.toSorted((one, other) => index(one) - index(other))
  }
}
