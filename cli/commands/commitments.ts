import { emptyLabel, timeLabel } from '#cli/labels.ts'
import { parseArgument, requestPage, withoutUnset } from '#cli/request.ts'
import { listRow, registersRows } from '#cli/rows.ts'
import { csvFields, type Table } from '#cli/table.ts'
import { CommitmentListQuery, type ListedCommitment, ListedCommitmentList } from '#shared/contract/commitments.ts'
import { shortDay } from '#shared/rules/commitment-words.ts'
import { londonDay } from '#shared/rules/london.ts'

/** `Fri 4 Dec`, with the year only if it's another one: what they said needs the room. */
function dayLabel(day: string): string {
  const year = day.slice(0, 4)
  return year === londonDay(new Date()).slice(0, 4) ? shortDay(day) : `${shortDay(day)} ${year}`
}

const fromLabel = ({ video, call }: ListedCommitment) =>
  video ? video.title : call ? `call on ${timeLabel(call.startsAt)}` : emptyLabel

const commitmentsTable: Table<ListedCommitment> = {
  isOfPeople: true,
  title: 'What members said they’d do',
  empty: 'Nothing due.',
  columns: [
    { title: 'BY', text: ({ day }) => dayLabel(day) },
    { title: 'MEMBER', text: ({ member }) => member.name, minWidth: 10 },
    { title: 'EMAIL', text: ({ member }) => member.email, dropOrder: 3 },
    { title: 'TIER', text: ({ member }) => member.tier ?? emptyLabel, dropOrder: 2 },
    { title: 'WHAT', text: ({ text }) => text, minWidth: 16 },
    { title: 'FROM', text: fromLabel, dropOrder: 1 },
  ],
  csv: [
    ...csvFields(['id', 'day', 'text', 'madeBy', 'createdAt']),
    { name: 'member', cell: ({ member }) => member.name },
    { name: 'email', cell: ({ member }) => member.email },
    { name: 'tier', cell: ({ member }) => member.tier },
  ],
}

const list = listRow({
  usage: 'list',
  description: 'List what members said they’d do and haven’t yet, the next due first',
  options: [['--due <when>', 'week or late (tiers with weekly accountability), or all (default: all)']],
  examples: ['list --due week', 'list --due late --json'],
  table: commitmentsTable,
  pages(call) {
    const query = parseArgument(CommitmentListQuery, withoutUnset({ due: call.option('due') }))
    return ({ api }, page) =>
      requestPage(ListedCommitmentList, api.admin.commitments.get({ query: { ...query, ...page } }))
  },
})

export const commitmentRows = [list]

export const registerCommitments = registersRows(commitmentRows)
