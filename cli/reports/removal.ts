import type { Report } from '#cli/output.ts'
import { type Fact, factsText } from '#cli/table.ts'
import type { MemberRemoval } from '#shared/contract/admin.ts'
import { plural } from '#shared/rules/plural.ts'
import { nothing } from './words.ts'

/** Those of which there are any, such as `1 login, 3 ticks`. */
const listed = (...counts: [count: number, one: string, many?: string][]) =>
  counts
    .filter(([count]) => count > 0)
    .map((one) => plural(...one))
    .join(', ') || nothing

const goesWords = ({ goes: { sessions, progress, mails } }: MemberRemoval) =>
  `account, ${listed([sessions, 'login'], [progress, 'video tick'], [mails, 'mail'])}`.replace(/, –$/, '')

const staysWords = ({ stays: { invoices, creditNotes, commissionLines, applications, unsentMails } }: MemberRemoval) =>
  listed(
    [invoices, 'invoice'],
    [creditNotes, 'credit note'],
    [commissionLines, 'commission line'],
    [applications, 'application'],
    [unsentMails, 'mail about money that is still to be sent', 'mails about money that are still to be sent'],
  )

/** What is asked about before it is done. */
export const removalWords = (removal: MemberRemoval) =>
  [
    removal.subscriptions > 0 ? 'The membership ends at once, without a refund.' : 'No membership is running.',
    `What goes: ${goesWords(removal)}.`,
    `What stays: ${staysWords(removal)}.`,
  ].join(' ')

export function removalReport(removal: MemberRemoval): Report {
  const { memberId, subscriptions, goes, stays } = removal
  const facts: Fact[] = [
    { label: 'Ends', value: listed([subscriptions, 'membership']) },
    { label: 'Goes', value: goesWords(removal) },
    { label: 'Stays', value: staysWords(removal) },
    { label: 'Id', value: memberId, tone: 'quiet' },
  ]
  const counts = { subscriptions, ...goes, ...stays }
  return {
    answer: removal,
    sheet: () => ({ head: ['memberId', ...Object.keys(counts)], rows: [[memberId, ...Object.values(counts)]] }),
    text: () => factsText(facts),
    async view(width) {
      const [{ draw }, { FactsView }] = await Promise.all([
        import('#cli/views/draw.tsx'),
        import('#cli/views/facts.tsx'),
      ])
      return draw(FactsView, { title: removal.dryRun ? 'Would be removed' : 'Member removed', facts, width })
    },
  }
}
