import type { Client } from '#cli/connection.ts'
import { CliError, exitCodes } from '#cli/exit-codes.ts'
import { dayLabel, emptyLabel, nameLabel, providerStatusLabel, timeLabel, yesNoLabel } from '#cli/labels.ts'
import { csvOfRows, type Output, sectionsOutput } from '#cli/output.ts'
import { parseArgument, parseMember, request, requestPage, withoutUnset } from '#cli/request.ts'
import { listRow, showRow } from '#cli/rows.ts'
import { csvFields, type Detail, type Table, type Tone } from '#cli/table.ts'
import { MemberRecord } from '#shared/contract/member-record.ts'
import {
  type AdminMember,
  AdminMemberDetail,
  AdminMemberList,
  AdminMemberQuery,
  memberFilters,
  memberSorts,
  unprovenEmailText,
} from '#shared/contract/members.ts'
import { creditText } from '#shared/rules/credit.ts'
import { listedMemberState, type MemberState } from '#shared/rules/member-state.ts'
import { noticesText } from '#shared/rules/notice-words.ts'
import { keptDraftText } from '#shared/rules/state-line.ts'

const tones: Record<MemberState['tone'], Tone | undefined> = {
  ok: 'success',
  wait: undefined,
  open: undefined,
  bad: 'error',
  plain: 'muted',
}

export const membersTable: Table<AdminMember> = {
  isOfPeople: true,
  title: 'Members',
  empty: 'No members found.',
  columns: [
    { title: 'NAME', text: nameLabel, minWidth: 12, dropOrder: 1 },
    {
      title: 'EMAIL',
      text: ({ email, mailRefused }) => (mailRefused === null ? email : `refused: ${email}`),
      tone: ({ mailRefused }) => (mailRefused === null ? undefined : 'error'),
      minWidth: 18,
      identifies: true,
      link: ({ id }) => `/admin/members/${id}`,
    },
    {
      title: 'MEMBERSHIP',
      text: (member) => listedMemberState(member).text,
      minWidth: 12,
      wantedWidth: 36,
      tone: (member) => tones[listedMemberState(member).tone],
    },
    { title: 'TIER', text: ({ isAdmin, tierName }) => (isAdmin ? 'Owner' : (tierName ?? emptyLabel)), dropOrder: 2 },
    { title: 'ACCESS', text: ({ isMember, isAdmin }) => yesNoLabel(isMember || isAdmin), dropOrder: 4 },
    { title: 'VIDEOS', text: ({ videosCompleted }) => String(videosCompleted), align: 'right', dropOrder: 3 },
    {
      title: 'LAST PROGRESS',
      text: ({ lastProgressAt }) => timeLabel(lastProgressAt),
      dropOrder: 5,
      tone: () => 'muted',
    },
    {
      title: 'JOINED',
      text: ({ membershipStartDate }) => dayLabel(membershipStartDate),
      dropOrder: 6,
      tone: () => 'muted',
    },
  ],
  csv: csvFields(
    ['id', 'firstName', 'lastName', 'email', 'membershipTier', 'tierName', 'isAdmin', 'isMember', 'status', 'label'],
    ['stateLine', 'isComplimentary', 'videosCompleted', 'lastProgressAt', 'mailRefused', 'createdAt'],
  ),
}

const listShape = {
  table: membersTable,
  description: 'List everyone with an account, newest first',
  options: [
    ['-e, --email <address>', 'filter by email address'],
    ['--search <words>', 'with these words in the name, email, phone, business or trade'],
    ['--show <which>', memberFilters.join(', ')],
    ['--tier <tier>', 'on this tier, as alliance tiers list names it'],
    ['--sort <by>', `${memberSorts.join(', ')}; -name is the other way round`],
  ],
} as const

const list = listRow({
  ...listShape,
  usage: 'list',
  examples: [
    'list',
    'list --show payment-due',
    'list --search "field building"',
    'list --json email,tierName,stateLine',
    'list --csv > members.csv',
  ],
  pages(call) {
    const filter = {
      email: call.option('email'),
      q: call.option('search'),
      show: call.option('show'),
      tier: call.option('tier')?.toLowerCase(),
      sort: call.option('sort'),
    }
    const query = parseArgument(AdminMemberQuery, withoutUnset(filter))
    return ({ api }, page) => requestPage(AdminMemberList, api.admin.members.get({ query: { ...query, ...page } }))
  },
})

const show = showRow({
  usage: 'show <id-or-email>',
  description: 'Show a member: tier, status, next billing date and progress',
  examples: ['show sam@example.com', 'show sam@example.com --json stateLine,nextBillingOn'],
  read: (call) => {
    const read = memberNamed(call.argument(0))
    return async (client) => {
      const member = await read(client)
      const { api } = client
      const record = await request(MemberRecord, api.admin.members({ memberId: member.id }).record.get())
      const { keptDrafts, credits, stripeAddress, notices } = record
      return { ...member, keptDrafts, credits, stripeAddress, notices }
    }
  },
  output: memberOutput,
})

export const memberListRows = [list, show]

/** Gets the member with an ID or email address, or says what to do if there's none. */
export function memberNamed(idOrEmail: string): (client: Client) => Promise<AdminMemberDetail> {
  const wanted = parseMember(idOrEmail)
  return ({ api }) =>
    request(AdminMemberDetail, api.admin.member({ memberId: encodeURIComponent(wanted) }).get()).catch((error) => {
      if (!(error instanceof CliError) || error.exitCode !== exitCodes.notFound) throw error
      throw new CliError(exitCodes.notFound, `There’s no member ${wanted}. See: alliance members list --search <words>`)
    })
}

const memberCsv = csvFields(
  ['id', 'firstName', 'lastName', 'email', 'membershipType', 'tierName', 'phone', 'businessName', 'trade', 'isAdmin'],
  ['isMember', 'status', 'label', 'stateLine', 'isComplimentary', 'nextBillingOn', 'videosCompleted'],
  ['videosAvailable', 'lastProgressAt', 'hasPassword', 'isEmailProven', 'mailRefused', 'createdAt'],
)

/** What owners did at Stripe and have to finish, or to answer. */
type AtStripe = Pick<MemberRecord, 'keptDrafts' | 'credits' | 'stripeAddress'>
type Shown = AdminMemberDetail & Partial<AtStripe & Pick<MemberRecord, 'notices'>>

export function memberOutput(member: Shown): Output {
  const { notices } = member
  const told: Detail[] = notices === undefined ? [] : [{ label: 'Notices', value: noticesText(notices) }]
  const details = [...memberDetails(member), ...told, ...detailsAtStripe(member)]
  return sectionsOutput({ json: member, csv: () => csvOfRows(memberCsv, [member]) }, [{ title: 'Member', details }])
}

const detailsAtStripe = ({ keptDrafts = [], credits = [], stripeAddress = null }: Partial<AtStripe>): Detail[] => [
  ...keptDrafts.map((draft): Detail => ({ label: 'Draft invoice', value: keptDraftText(draft), tone: 'error' })),
  ...credits.map((credit): Detail => ({ label: 'Credit', value: creditText(credit) })),
  ...(stripeAddress === null
    ? []
    : [{ label: 'Email at Stripe', value: `${stripeAddress}. See: alliance members address`, tone: 'error' } as const]),
]

/** Without access they can't open any video. */
const hasAccess = ({ isMember, isAdmin }: AdminMemberDetail) => isMember || isAdmin

function memberDetails(member: AdminMemberDetail): Detail[] {
  const state = listedMemberState(member)
  return [
    { label: 'Name', value: nameLabel(member) },
    { label: 'Email', value: member.email },
    ...(member.isEmailProven ? [] : [{ label: 'Email confirmed', value: unprovenEmailText }]),
    ...(member.mailRefused === null
      ? []
      : [{ label: 'Last email', value: `refused: ${member.mailRefused}`, tone: 'error' } as const]),
    { label: 'Phone', value: member.phone || emptyLabel },
    { label: 'Business', value: member.businessName || emptyLabel },
    { label: 'Trade', value: member.trade || emptyLabel },
    { label: 'Tier', value: member.isAdmin ? 'Owner' : (member.tierName ?? emptyLabel) },
    { label: 'They see', value: member.stateLine },
    { label: 'Status', value: state.text, tone: tones[state.tone] },
    { label: 'At Stripe', value: providerStatusLabel(member.status) },
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
}
