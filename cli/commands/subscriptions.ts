import { CliError, exitCodes } from '#cli/exit-codes.ts'
import { countsOutput } from '#cli/output.ts'
import { withProgress } from '#cli/progress.ts'
import { parseMember, request } from '#cli/request.ts'
import { actRow, type CommandRow, registersRows } from '#cli/rows.ts'
import { JobRun, MemberSync } from '#shared/contract/jobs.ts'
import { jobRunOutput } from './jobs.ts'
import { linkRow } from './subscription-link.ts'
import { upgradeRow } from './subscription-upgrade.ts'

const syncRow = actRow({
  usage: 'sync <id-or-email>',
  description: 'Sync one member with Stripe',
  examples: ['sync sam@example.com'],
  act({ argument }) {
    const memberId = encodeURIComponent(parseMember(argument(0)))
    return async ({ api }) => {
      const sync = await request(MemberSync, api.admin.members({ memberId }).sync.post())
      const customer = sync.hasCustomer ? 'up to date' : 'none at Stripe'
      return countsOutput(sync, 'Repaired', { customer, ...sync.mended })
    }
  },
})

export const subscriptionRows: readonly CommandRow[] = [
  upgradeRow,
  syncRow,
  actRow({
    usage: 'reconcile',
    description: 'Sync every customer with recent changes with Stripe',
    options: [['--all', 'every customer, not just recent changes']],
    examples: ['reconcile', 'reconcile --all'],
    act:
      ({ io, options }) =>
      async ({ api }) => {
        const job = api.admin.jobs({ name: 'reconcile' })
        const all = options.all === true
        const run = await withProgress(io, options, 'Reading', () => request(JobRun, job.run.post({ all })))
        if (run.skipped) throw new CliError(exitCodes.failed, 'A sync is already running.')
        const unknown = Number(run.report?.unknown ?? 0)
        const output = jobRunOutput(run, 'Reconciled')
        return unknown === 0 ? output : { ...output, notes: [unknownNote] }
      },
  }),
  linkRow,
]

const unknownNote =
  'A paying customer has no account here. "alliance mrr diff" names them, "alliance subscriptions link" links them.'

export const registerSubscriptions = registersRows(subscriptionRows)
