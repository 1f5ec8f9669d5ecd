import type { ListedCommitment } from '#shared/contract/commitments.ts'
import { formatLongDate, weekdayName } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'
import { type Block, greeting, type Message, paragraph } from './layout.ts'

/** On the day itself. It only says what they said, and where to tick it. */
export function commitmentDayMail(
  firstName: string | null,
  { texts, url }: { texts: readonly string[]; url: string },
): Message {
  return {
    subject: texts.length === 1 ? 'You said you’d do this today' : `You said you’d do ${texts.length} things today`,
    heading: `${greeting(firstName)} today’s the day`,
    blocks: [
      ...texts.map((text) => paragraph(`“${text}”`)),
      paragraph('Tick it off when it’s done. Not today after all? Give it a new day, or drop it.'),
      { kind: 'button', label: 'Open your list', url },
      paragraph('You can switch these emails off in Profile, under Notices.'),
    ],
  }
}

/** `Thursday 18 June`: within a week or two the year goes without saying. */
const shortDay = (day: string) => `${weekdayName(day)} ${formatLongDate(day).replace(/ \d+$/, '')}`

/** The first of so many. */
export type ListedOf = { rows: readonly ListedCommitment[]; total: number }

const listOf = ({ rows, total }: ListedOf): Block[] => [
  { kind: 'rows', rows: rows.map(({ day, member, text }) => [`${shortDay(day)}, ${member.name}`, text] as const) },
  ...(total > rows.length ? [paragraph(`And ${total - rows.length} more.`)] : []),
]

type Week = { week: ListedOf; late: ListedOf; url: string }

/** To owners, on Mondays. */
export const commitmentWeekMail = ({ week, late, url }: Week): Message => ({
  subject: `${week.total > 0 ? 'This week' : 'Late'}: ${plural(week.total || late.total, 'thing')} members said they’d do`,
  heading: 'What weekly-accountability members said they’d do',
  blocks: [
    ...(week.total === 0 ? [paragraph('Nothing’s due from them this week.')] : listOf(week)),
    ...(late.total === 0 ? [] : [paragraph('Still open from before this week:'), ...listOf(late)]),
    { kind: 'button', label: 'Open the site', url },
    paragraph(`In the terminal: alliance commitments list --due ${week.total > 0 ? 'week' : 'late'}`),
  ],
})
