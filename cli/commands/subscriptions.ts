import type { Command } from 'commander'
import { type SharedOptions, withClient } from '#cli/client.ts'
import { CliError, exitCodes } from '#cli/exit-codes.ts'
import { examples } from '#cli/help.ts'
import type { Io } from '#cli/io.ts'
import { dayLabel, fullName } from '#cli/labels.ts'
import { countsOutput, note, type Output, print, recordSheet, sectionsOutput } from '#cli/output.ts'
import { confirm } from '#cli/prompt.ts'
import { parseArgument, parseMember, request } from '#cli/request.ts'
import { type CommandRow, changeRow, registerRows } from '#cli/rows.ts'
import type { Detail } from '#cli/table.ts'
import { JobRun, MemberSync } from '#shared/contract/jobs.ts'
import { AdminMemberDetail } from '#shared/contract/members.ts'
import { TierSlug } from '#shared/contract/tier.ts'
import { UpgradePreview, UpgradeResult } from '#shared/contract/upgrade.ts'
import { formatPoundsAndPence, type Price } from '#shared/rules/money.ts'
import { methodLabel } from '#shared/rules/payment-method.ts'

export function registerSubscriptions(subscriptions: Command, io: Io): void {
  subscriptions
    .command('upgrade <id-or-email> <tier>')
    .description("Start a dearer tier today (lite, standard, xl) and take the difference from the member's card")
    .option('--dry-run', 'show what it costs, without taking it')
    .option('-y, --yes', 'do not ask for confirmation')
    .addHelpText(
      'after',
      examples('subscriptions upgrade sam@example.com xl --dry-run', 'subscriptions upgrade sam@example.com xl'),
    )
    .action((idOrEmail: string, tier: string, _own, command: Command) =>
      upgradeMember(io, command.optsWithGlobals(), { idOrEmail, tier }),
    )
  registerRows(subscriptions, io, rows)
}

const rows: readonly CommandRow[] = [
  changeRow({
    usage: 'sync <id-or-email>',
    description: 'Read one member again from the payment provider',
    examples: ['sync sam@example.com'],
    plan: ({ argument }) => {
      const facts = { memberId: encodeURIComponent(parseMember(argument(0))) }
      return async () => ({ facts, output: countsOutput(facts, 'Sync', {}), question: 'Read this member again?' })
    },
    apply:
      (_call, { memberId }) =>
      async ({ api }) => {
        const sync = await request(MemberSync, api.admin.members({ memberId }).sync.post())
        const customer = sync.hasCustomer ? 'up to date' : 'none at the provider'
        return countsOutput(sync, 'Repaired', { customer, ...sync.mended })
      },
  }),
  changeRow({
    usage: 'reconcile',
    description: 'Read every customer with recent changes again from the payment provider',
    options: [['--all', 'every customer, also those without recent changes']],
    examples: ['reconcile', 'reconcile --all'],
    plan: ({ options }) => {
      const facts = { all: options.all === true }
      return async () => ({
        facts,
        output: countsOutput(facts, 'Reconcile', {}),
        question: 'Read the customers again?',
      })
    },
    apply:
      (_call, facts) =>
      async ({ api }) => {
        const run = await request(JobRun, api.admin.jobs({ name: 'reconcile' }).run.post(facts))
        if (run.skipped) throw new CliError(exitCodes.failed, 'They are being read already.')
        return countsOutput(run, 'Reconciled', run.report ?? {})
      },
  }),
]

type UpgradeOptions = SharedOptions & { dryRun?: boolean; yes?: true }

async function upgradeMember(
  io: Io,
  { dryRun = false, yes, ...options }: UpgradeOptions,
  { idOrEmail, tier }: { idOrEmail: string; tier: string },
): Promise<void> {
  const memberId = encodeURIComponent(parseMember(idOrEmail))
  const tierSlug = parseArgument(TierSlug, tier.toLowerCase())
  const { preview, result } = await withClient(io, options, async ({ api }) => {
    const member = await request(AdminMemberDetail, api.admin.member({ memberId }).get())
    const { upgrade } = api.admin.members({ memberId: member.id })
    const preview = await request(UpgradePreview, upgrade.preview.post({ tierSlug }))
    if (dryRun) return { preview, result: null }
    const total = formatPoundsAndPence(preview.total)
    const question = `Start ${preview.to.name} today for ${fullName(member)} (${member.email}) and take ${total} including VAT from their card?`
    await confirm(io, question, yes === true)
    return { preview, result: await request(UpgradeResult, upgrade.post({ attemptId: preview.attemptId })) }
  })
  await print(io, options, upgradeOutput(preview, result))
  if (dryRun) await note(io, options, 'Dry run: nothing was taken or changed.')
}

const priceLabel = ({ net, vat, total }: Price) =>
  `${formatPoundsAndPence(total)} (${formatPoundsAndPence(net)} + ${formatPoundsAndPence(vat)} VAT)`

/** What comes off, as a negative sum: it is already paid. */
const lessOf = ({ net, vat, total }: Price): Price => ({ net: -net, vat: -vat, total: -total })

/** Without the id that starts it, which has served by now and differs each time. */
function upgradeOutput(preview: UpgradePreview, result: UpgradeResult | null): Output {
  const { from, to, charge, credit, net, vat, total, nextBill, card } = preview
  const status = result?.status ?? 'preview'
  const details: Detail[] = [
    { label: 'Tier', value: `${from.name} → ${to.name}` },
    { label: 'Rest of the month', value: priceLabel(charge) },
    { label: 'Less the unused part', value: priceLabel(lessOf(credit)) },
    { label: result === null ? 'Would be taken' : 'Taken', value: priceLabel({ net, vat, total }) },
    { label: 'From', value: methodLabel(card) },
    { label: 'Next bill', value: `${dayLabel(nextBill.on)}: ${priceLabel(nextBill)}` },
    ...(status === 'processing' ? [{ label: 'Status', value: 'paid, starts in a moment' }] : []),
  ]
  const record = { status, from: from.slug, to: to.slug, net, vat, total }
  const next = { nextBillOn: nextBill.on, nextBillTotal: nextBill.total }
  const json = { status, from: from.slug, to: to.slug, charge, credit, net, vat, total, nextBill }
  const data = { json, csv: () => recordSheet({ ...record, ...next }) }
  return sectionsOutput(data, [{ title: result === null ? 'Upgrade today' : 'Upgraded', details }])
}
