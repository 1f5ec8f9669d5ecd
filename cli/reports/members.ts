import type { Report } from '#cli/output.ts'
import { type Column, tableText } from '#cli/table.ts'
import type { AdminMember } from '#shared/contract/admin.ts'
import { dayWords, fullName, stateWords, statusTone, tierWord, timeWords, yesOrNo } from './words.ts'

const columns: readonly Column<AdminMember>[] = [
  { title: 'NAME', text: fullName, shrinksTo: 12 },
  {
    title: 'E-MAIL',
    text: ({ email, mailRefused }) => (mailRefused === null ? email : `refused: ${email}`),
    tone: ({ mailRefused }) => (mailRefused === null ? undefined : 'bad'),
    shrinksTo: 18,
  },
  { title: 'TIER', text: ({ isAdmin, membershipTier }) => (isAdmin ? 'Owner' : tierWord(membershipTier)) },
  {
    title: 'STATUS',
    text: stateWords,
    shrinksTo: 22,
    tone: ({ status }) => statusTone(status),
  },
  { title: 'ACCESS', text: ({ isMember, isAdmin }) => yesOrNo(isMember || isAdmin), givesWay: 1 },
  { title: 'VIDEOS', text: ({ videosCompleted }) => String(videosCompleted), align: 'right' },
  { title: 'LAST PROGRESS', text: ({ lastProgressAt }) => timeWords(lastProgressAt), givesWay: 2, tone: () => 'quiet' },
  { title: 'JOINED', text: ({ createdAt }) => dayWords(createdAt), givesWay: 3, tone: () => 'quiet' },
]

const fields = [
  'id',
  'firstName',
  'lastName',
  'email',
  'membershipTier',
  'isAdmin',
  'isMember',
  'status',
  'label',
  'isComplimentary',
  'videosCompleted',
  'lastProgressAt',
  'mailRefused',
  'createdAt',
] as const satisfies readonly (keyof AdminMember)[]

export function membersReport(members: AdminMember[]): Report {
  return {
    answer: members,
    sheet: () => ({ head: fields, rows: members.map((member) => fields.map((field) => member[field])) }),
    text: () => (members.length === 0 ? 'Nobody found.\n' : tableText(columns, members)),
    async view(width) {
      const [{ draw }, { MembersView }] = await Promise.all([
        import('#cli/views/draw.tsx'),
        import('#cli/views/members.tsx'),
      ])
      return draw(MembersView, { members, columns, width })
    },
  }
}
