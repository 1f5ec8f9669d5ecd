import type { Command } from 'commander'
import { type SharedOptions, withClient } from '#cli/client.ts'
import type { Client } from '#cli/connection.ts'
import { CliError, exitCodes, usageError } from '#cli/exit-codes.ts'
import { examples } from '#cli/help.ts'
import type { Io } from '#cli/io.ts'
import { emptyLabel } from '#cli/labels.ts'
import { note, type Output, print, printOutcome, reportOutput, tableOutput } from '#cli/output.ts'
import { confirm } from '#cli/prompt.ts'
import { parseArgument, request } from '#cli/request.ts'
import { csvFields, type Table } from '#cli/table.ts'
import {
  AdminTier,
  AdminTierList,
  PriceChange,
  type PriceMoveMember,
  PricePreview,
  TierRequest,
  type TierVisibility,
} from '#shared/contract/admin-tier.ts'
import { TierSlug } from '#shared/contract/tier.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { plural } from '#shared/rules/plural.ts'
import { outcomeText } from '#shared/rules/price-move.ts'

export function registerTiers(tiers: Command, io: Io): void {
  tiers
    .command('list')
    .description('List the tiers, with what they cost and who pays for them')
    .addHelpText('after', examples('tiers list', 'tiers list --json'))
    .action((_own, command: Command) => listTiers(io, command.optsWithGlobals()))
  tiers
    .command('set <tier>')
    .description('Change a tier (lite, standard, xl): what it says, who is shown it, or its price')
    .option('--name <name>', 'what it is called')
    .option('--description <line>', 'the line below its name')
    .option('--feature <line>', 'what it gives; once for each line, all of them', collect)
    .option('--shown <to>', 'open, invitation or hidden')
    .option('--price <pounds>', 'the new price a month without VAT; members keep theirs')
    .option('--move-members', 'tell members of the new price, which they pay after thirty days’ notice')
    .option('--dry-run', 'show what would change, and for whom, without changing it')
    .option('-y, --yes', 'do not ask for confirmation')
    .addHelpText(
      'after',
      examples(
        'tiers set lite --name "Bench Lite" --feature "One" --feature "Two"',
        'tiers set xl --price 475 --dry-run',
        'tiers set xl --price 475 --move-members',
      ),
    )
    .action((slug: string, _own, command: Command) => changeTier(io, command.optsWithGlobals(), slug))
}

const collect = (line: string, lines: string[] = []) => [...lines, line]

const shownLabels: Record<TierVisibility, string> = { open: 'to everybody', invitation: 'by invitation', hidden: 'no' }

const tiersTable: Table<AdminTier> = {
  title: 'Tiers',
  empty: 'There are no tiers.',
  columns: [
    { title: 'TIER', text: ({ slug }) => slug },
    { title: 'NAME', text: ({ name }) => name, minWidth: 12 },
    { title: 'A MONTH', text: ({ price }) => formatPoundsAndPence(price), align: 'right' },
    { title: 'SHOWN', text: ({ visibility }) => shownLabels[visibility] },
    { title: 'MEMBERS', text: ({ members }) => String(members), align: 'right' },
    { title: 'DESCRIPTION', text: ({ description }) => description, minWidth: 12, dropOrder: 1 },
  ],
  csv: [
    ...csvFields(['slug', 'name', 'description', 'price', 'visibility', 'members', 'moving']),
    { name: 'features', cell: ({ features }) => features.join('\n') },
  ],
}

async function listTiers(io: Io, options: SharedOptions): Promise<void> {
  const tiers = await withClient(io, options, requestTiers, { mayCreate: true })
  await print(io, options, tableOutput(tiersTable, tiers))
}

const requestTiers = ({ api }: Client) => request(AdminTierList, api.admin.tiers.get())

type SetOptions = SharedOptions & {
  name?: string
  description?: string
  feature?: string[]
  shown?: string
  price?: string
  moveMembers?: true
  dryRun?: true
  yes?: true
}

async function changeTier(io: Io, options: SetOptions, given: string): Promise<void> {
  const slug = parseArgument(TierSlug, given.toLowerCase())
  const price = options.price === undefined ? undefined : parsePounds(options.price)
  const isTextual = [options.name, options.description, options.feature, options.shown].some((one) => one !== undefined)
  if (price === undefined && !isTextual) throw usageError('Say what to change: --name, --price or another option.')
  if (price === undefined && options.moveMembers) throw usageError('--move-members needs --price.')
  await withClient(
    io,
    options,
    async (client) => {
      if (isTextual) await changeText(io, options, { client, slug })
      if (price !== undefined) await changePrice(io, options, { client, slug, price })
    },
    { mayCreate: true },
  )
}

type Which = { client: Client; slug: TierSlug }

async function changeText(io: Io, options: SetOptions, { client, slug }: Which): Promise<void> {
  const tier = (await requestTiers(client)).find((one) => one.slug === slug)
  if (tier === undefined) throw new CliError(exitCodes.notFound, 'This tier was not found.')
  const wanted = parseArgument(TierRequest, {
    name: options.name ?? tier.name,
    description: options.description ?? tier.description,
    features: options.feature ?? tier.features,
    visibility: options.shown ?? tier.visibility,
  })
  if (options.dryRun) {
    await print(io, options, tableOutput(tiersTable, [{ ...tier, ...wanted }]))
    return note(io, options, 'Dry run: nothing was changed.')
  }
  const { api } = client
  const saved = await request(AdminTier, api.admin.tiers({ tier: slug }).patch({ ...wanted, version: tier.version }))
  const record = { slug, name: saved.name, description: saved.description, visibility: saved.visibility }
  await printOutcome(io, options, { record, sentence: `${saved.name} is on the site now.` })
}

/** Pounds as people write them, in pence. */
function parsePounds(text: string): number {
  const [, pounds, pence = '0'] = /^£?(\d{1,5})(?:\.(\d\d))?$/.exec(text.trim()) ?? []
  if (pounds === undefined) throw usageError('--price takes pounds, such as 250 or 249.50.')
  return Number(pounds) * 100 + Number(pence)
}

async function changePrice(io: Io, options: SetOptions, { client, slug, price }: Which & { price: number }) {
  const { api } = client
  const prices = api.admin.tiers({ tier: slug }).price
  const preview = await request(PricePreview, prices.get({ query: { price } }))
  if (options.dryRun) {
    await print(io, options, previewOutput(preview))
    return note(io, options, 'Dry run: nothing was changed, and nobody was told.')
  }
  await confirm(io, questionOf(preview, options), options.yes === true)
  const body = { price, movesMembers: options.moveMembers === true, confirmation: preview.confirmation }
  const { tier, told } = await request(PriceChange, prices.post(body))
  const sentence = `${tier.name} costs ${formatPoundsAndPence(tier.price)} + VAT a month for new members. ${plural(told, 'member')} told.`
  await printOutcome(io, options, { record: { slug, price: tier.price, told }, sentence })
}

function questionOf({ name, from, to, members }: PricePreview, { moveMembers }: SetOptions): string {
  const moving = members.filter(({ stays }) => stays === null).length
  const what = `Sell ${name} at ${formatPoundsAndPence(to)} + VAT a month instead of ${formatPoundsAndPence(from)}`
  if (!moveMembers) return `${what}? Members keep the price that they pay.`
  return `${what}, and tell ${plural(moving, 'member')} by mail that they pay it too?`
}

const membersTable: Table<PriceMoveMember> = {
  title: 'Members who pay another price',
  empty: 'Nobody pays another price.',
  columns: [
    { title: 'NAME', text: ({ name }) => name, minWidth: 10 },
    { title: 'EMAIL', text: ({ email }) => email ?? emptyLabel, minWidth: 14, dropOrder: 1 },
    { title: 'FROM', text: ({ from }) => formatPoundsAndPence(from), align: 'right' },
    { title: 'TO', text: ({ to }) => formatPoundsAndPence(to), align: 'right' },
    { title: 'IF MOVED', text: outcomeText, minWidth: 16 },
  ],
  csv: csvFields(['memberId', 'name', 'email', 'from', 'to', 'on', 'stays']),
}

/** Without the confirmation, which stands for all of this and has served by now. */
export function previewOutput({ confirmation: _used, ...preview }: PricePreview): Output {
  const { name, from, to, members, mail } = preview
  const details = [
    { label: 'Tier', value: name },
    { label: 'Price', value: `${formatPoundsAndPence(from)} → ${formatPoundsAndPence(to)} + VAT a month` },
    { label: 'The notice', value: mail === null ? 'nobody would be told' : mail.subject },
  ]
  const [title, note] = ['A new price', mail?.text]
  return reportOutput({ title, details, table: membersTable, rows: members, json: preview, note })
}
