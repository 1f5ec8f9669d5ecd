import type { Command } from 'commander'
import { type SharedOptions, withClient } from '#cli/client.ts'
import { examples } from '#cli/help.ts'
import type { Io } from '#cli/io.ts'
import {
  dayLabel,
  emptyLabel,
  fullName,
  membershipLabel,
  providerStatusLabel,
  statusTone,
  timeLabel,
  yesNoLabel,
} from '#cli/labels.ts'
import { type ListOptions, printList } from '#cli/list.ts'
import { csvSheet, note, type Output, print, recordSheet, sectionsOutput } from '#cli/output.ts'
import { confirm } from '#cli/prompt.ts'
import { parseMember, parseOption, request, requestPage } from '#cli/request.ts'
import { csvFields, type Detail, type Table } from '#cli/table.ts'
import { Email } from '#shared/contract/fields.ts'
import {
  type AdminMember,
  AdminMemberDetail,
  AdminMemberList,
  GuaranteeRefund,
  MemberRemoval,
} from '#shared/contract/members.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { plural } from '#shared/rules/plural.ts'

export function registerMembers(members: Command, io: Io): void {
  members
    .command('list')
    .description('List everyone with an account, the newest first')
    .option('-n, --limit <count>', 'maximum number of rows')
    .option('-e, --email <address>', 'filter by email address')
    .addHelpText(
      'after',
      examples('members list', 'members list --email sam@example.com', 'members list --csv > members.csv'),
    )
    .action((_own, command: Command) => listMembers(io, command.optsWithGlobals()))
  members
    .command('show <id-or-email>')
    .description('Show one member: tier, status, next billing date and progress')
    .addHelpText('after', examples('members show sam@example.com'))
    .action((idOrEmail: string, _own, command: Command) => showMember(io, command.optsWithGlobals(), idOrEmail))
  members
    .command('refund <id-or-email>')
    .description('Apply the 14-day guarantee: refund a new membership in full and end it')
    .option('-y, --yes', 'do not ask for confirmation')
    .addHelpText('after', examples('members refund sam@example.com'))
    .action((idOrEmail: string, _own, command: Command) => refundMember(io, command.optsWithGlobals(), idOrEmail))
  members
    .command('remove <id-or-email>')
    .description('Permanently delete an account and end its membership at once, without a refund; invoices are kept')
    .option('--dry-run', 'show what would be deleted and kept, without doing it')
    .option('-y, --yes', 'do not ask for confirmation')
    .addHelpText('after', examples('members remove sam@example.com --dry-run', 'members remove sam@example.com'))
    .action((idOrEmail: string, _own, command: Command) => removeMember(io, command.optsWithGlobals(), idOrEmail))
}

export const membersTable: Table<AdminMember> = {
  title: 'Members',
  empty: 'No members found.',
  columns: [
    { title: 'NAME', text: fullName, minWidth: 12 },
    {
      title: 'EMAIL',
      text: ({ email, mailRefused }) => (mailRefused === null ? email : `refused: ${email}`),
      tone: ({ mailRefused }) => (mailRefused === null ? undefined : 'error'),
      minWidth: 18,
    },
    { title: 'TIER', text: ({ isAdmin, tierName }) => (isAdmin ? 'Owner' : (tierName ?? emptyLabel)) },
    { title: 'STATUS', text: membershipLabel, minWidth: 22, tone: ({ status }) => statusTone(status) },
    { title: 'ACCESS', text: ({ isMember, isAdmin }) => yesNoLabel(isMember || isAdmin), dropOrder: 1 },
    { title: 'VIDEOS', text: ({ videosCompleted }) => String(videosCompleted), align: 'right' },
    {
      title: 'LAST PROGRESS',
      text: ({ lastProgressAt }) => timeLabel(lastProgressAt),
      dropOrder: 2,
      tone: () => 'muted',
    },
    { title: 'JOINED', text: ({ createdAt }) => dayLabel(createdAt), dropOrder: 3, tone: () => 'muted' },
  ],
  csv: csvFields(
    ['id', 'firstName', 'lastName', 'email', 'membershipTier', 'tierName', 'isAdmin', 'isMember', 'status', 'label'],
    ['isComplimentary', 'videosCompleted', 'lastProgressAt', 'mailRefused', 'createdAt'],
  ),
}

async function listMembers(io: Io, options: ListOptions & { email?: string }): Promise<void> {
  const email = parseOption(Email, options.email)
  const filter = email === undefined ? {} : { email }
  await printList(io, options, {
    table: membersTable,
    requestPage: ({ api }, page) =>
      requestPage(AdminMemberList, api.admin.members.get({ query: { ...page, ...filter } })),
  })
}

async function showMember(io: Io, options: SharedOptions, idOrEmail: string): Promise<void> {
  const memberId = encodeURIComponent(parseMember(idOrEmail))
  const member = await withClient(io, options, ({ api }) =>
    request(AdminMemberDetail, api.admin.member({ memberId }).get()),
  )
  await print(io, options, memberOutput(member))
}

const memberCsv = csvFields(
  ['id', 'firstName', 'lastName', 'email', 'membershipType', 'tierName', 'phone', 'businessName', 'trade', 'isAdmin'],
  ['isMember', 'status', 'label', 'stateLine', 'isComplimentary', 'nextBillingOn', 'videosCompleted'],
  ['videosAvailable', 'lastProgressAt', 'hasPassword', 'mailRefused', 'createdAt'],
)

export function memberOutput(member: AdminMemberDetail): Output {
  const details = memberDetails(member)
  return {
    ...sectionsOutput({ json: member, csv: () => csvSheet(memberCsv, [member]) }, [{ title: 'Member', details }]),
    async terminal(width) {
      const { drawMember } = await import('#cli/views/member.tsx')
      return drawMember(member, details, width)
    },
  }
}

/** Without it no video is open to them. */
const hasAccess = ({ isMember, isAdmin }: AdminMemberDetail) => isMember || isAdmin

const memberDetails = (member: AdminMemberDetail): Detail[] => [
  { label: 'Name', value: fullName(member) },
  { label: 'Email', value: member.email },
  ...(member.mailRefused === null
    ? []
    : [{ label: 'Mail', value: `refused: ${member.mailRefused}`, tone: 'error' } as const]),
  { label: 'Phone', value: member.phone || emptyLabel },
  { label: 'Business', value: member.businessName || emptyLabel },
  { label: 'Trade', value: member.trade || emptyLabel },
  { label: 'Tier', value: member.isAdmin ? 'Owner' : (member.tierName ?? emptyLabel) },
  { label: 'Membership', value: member.stateLine },
  { label: 'Status', value: membershipLabel(member), tone: statusTone(member.status) },
  { label: 'At the provider', value: providerStatusLabel(member.status) },
  { label: 'Next billing', value: dayLabel(member.nextBillingOn) },
  { label: 'Access', value: yesNoLabel(hasAccess(member)) },
  {
    label: 'Videos',
    value: `${member.videosCompleted}${hasAccess(member) ? ` of ${member.videosAvailable}` : ''} completed`,
  },
  { label: 'Last progress', value: timeLabel(member.lastProgressAt) },
  { label: 'Password', value: member.hasPassword ? 'set' : 'not set' },
  { label: 'Account since', value: dayLabel(member.createdAt) },
  { label: 'ID', value: member.id, tone: 'muted' },
]

async function refundMember(io: Io, options: SharedOptions & { yes?: true }, idOrEmail: string): Promise<void> {
  const memberId = encodeURIComponent(parseMember(idOrEmail))
  const refund = await withClient(io, options, async ({ api }) => {
    const member = await request(AdminMemberDetail, api.admin.member({ memberId }).get())
    const question = `Refund everything that ${fullName(member)} (${member.email}) has paid, and end the membership?`
    await confirm(io, question, options.yes === true)
    return request(GuaranteeRefund, api.admin.members({ memberId: member.id }).refund.post())
  })
  const { refunded, subscriptionId } = refund
  const details: Detail[] = [
    { label: 'Refunded', value: `${formatPoundsAndPence(refunded)} including VAT` },
    { label: 'Membership', value: 'ended' },
  ]
  const data = { json: refund, csv: () => recordSheet({ refunded, subscriptionId }) }
  await print(io, options, sectionsOutput(data, [{ title: 'Money-back guarantee', details }]))
}

type RemoveOptions = SharedOptions & { dryRun?: boolean; yes?: true }

async function removeMember(io: Io, { dryRun = false, yes, ...options }: RemoveOptions, given: string): Promise<void> {
  const idOrEmail = parseMember(given)
  const removal = await withClient(io, options, async ({ api }) => {
    const member = api.admin.members({ memberId: encodeURIComponent(idOrEmail) })
    const plan = await request(MemberRemoval, member.delete({}, { query: { dryRun: 'true' } }))
    if (dryRun) return plan
    await confirm(io, `Permanently remove ${idOrEmail}? ${removalSummary(plan)}`, yes === true)
    return request(MemberRemoval, member.delete({}, { query: { dryRun: 'false' } }))
  })
  await print(io, options, removalOutput(removal))
  if (dryRun) await note(io, options, 'Dry run: nothing was removed.')
}

const removalSummary = (removal: MemberRemoval) =>
  [
    removal.subscriptions > 0 ? 'The membership ends at once, without a refund.' : 'There is no active membership.',
    `Deleted: ${deletedLabel(removal)}.`,
    `Kept: ${keptLabel(removal)}.`,
  ].join(' ')

function removalOutput(removal: MemberRemoval): Output {
  const { memberId, subscriptions, goes, stays, dryRun } = removal
  const details: Detail[] = [
    { label: 'Ends', value: countedList([subscriptions, 'membership']) || emptyLabel },
    { label: 'Deleted', value: deletedLabel(removal) },
    { label: 'Kept', value: keptLabel(removal) },
    { label: 'ID', value: memberId, tone: 'muted' },
  ]
  const data = { json: removal, csv: () => recordSheet({ memberId, subscriptions, ...goes, ...stays }) }
  return sectionsOutput(data, [{ title: dryRun ? 'Would be removed' : 'Member removed', details }])
}

const deletedLabel = ({ goes: { sessions, progress, mails } }: MemberRemoval) =>
  ['account', countedList([sessions, 'login'], [progress, 'video tick'], [mails, 'mail'])].filter(Boolean).join(', ')

const keptLabel = ({ stays: { invoices, creditNotes, commissionLines, applications, unsentMails } }: MemberRemoval) =>
  countedList(
    [invoices, 'invoice'],
    [creditNotes, 'credit note'],
    [commissionLines, 'commission line'],
    [applications, 'application'],
    [unsentMails, 'unsent mail about money', 'unsent mails about money'],
  ) || emptyLabel

/** `1 login, 3 video ticks`, without those of which there are none. */
const countedList = (...counts: [count: number, one: string, many?: string][]) =>
  counts
    .filter(([count]) => count > 0)
    .map((one) => plural(...one))
    .join(', ')
