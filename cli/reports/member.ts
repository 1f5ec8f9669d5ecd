import type { Report } from '#cli/output.ts'
import { type Fact, factsText } from '#cli/table.ts'
import type { AdminMemberDetail } from '#shared/contract/admin.ts'
import {
  dayWords,
  fullName,
  nothing,
  providerWord,
  stateWords,
  statusTone,
  tierWord,
  timeWords,
  yesOrNo,
} from './words.ts'

/** What an owner asks about a person, in the order in which he asks. */
export function memberFacts(member: AdminMemberDetail): Fact[] {
  const { status } = member
  return [
    { label: 'Name', value: fullName(member) },
    { label: 'E-mail', value: member.email },
    ...(member.mailRefused === null
      ? []
      : [{ label: 'Mail', value: `refused: ${member.mailRefused}`, tone: 'bad' } as const]),
    { label: 'Phone', value: member.phone || nothing },
    { label: 'Business', value: member.businessName || nothing },
    { label: 'Trade', value: member.trade || nothing },
    { label: 'Tier', value: member.isAdmin ? 'Owner' : tierWord(member.membershipType) },
    { label: 'Status', value: stateWords(member), tone: statusTone(status) },
    { label: 'At the provider', value: providerWord(status) },
    { label: 'Next billing', value: dayWords(member.nextBillingOn) },
    { label: 'Access', value: yesOrNo(member.isMember || member.isAdmin) },
    { label: 'Videos', value: `${member.videosCompleted} of ${member.videosAvailable} completed` },
    { label: 'Last progress', value: timeWords(member.lastProgressAt) },
    { label: 'Password', value: member.hasPassword ? 'set' : 'not set yet' },
    { label: 'Account since', value: dayWords(member.createdAt) },
    { label: 'Id', value: member.id, tone: 'quiet' },
  ]
}

const fields = [
  'id',
  'firstName',
  'lastName',
  'email',
  'membershipType',
  'phone',
  'businessName',
  'trade',
  'isAdmin',
  'isMember',
  'status',
  'label',
  'isComplimentary',
  'nextBillingOn',
  'videosCompleted',
  'videosAvailable',
  'lastProgressAt',
  'hasPassword',
  'mailRefused',
  'createdAt',
] as const satisfies readonly (keyof AdminMemberDetail)[]

export function memberReport(member: AdminMemberDetail): Report {
  return {
    answer: member,
    sheet: () => ({ head: fields, rows: [fields.map((field) => member[field])] }),
    text: () => factsText(memberFacts(member)),
    async view(width) {
      const [{ draw }, { MemberView }] = await Promise.all([
        import('#cli/views/draw.tsx'),
        import('#cli/views/member.tsx'),
      ])
      return draw(MemberView, { member, facts: memberFacts(member), width })
    },
  }
}
