import { dayLabel } from '#cli/labels.ts'
import { recordOutput, tableOutput } from '#cli/output.ts'
import { parseArgument, parseOption, request, withoutUnset } from '#cli/request.ts'
import { changeRow, showRow } from '#cli/rows.ts'
import { csvFields, type Table } from '#cli/table.ts'
import { CommissionRate, CommissionRateList, CommissionRateRequest } from '#shared/contract/commission.ts'
import { Day } from '#shared/contract/fields.ts'
import { formatLongDate } from '#shared/rules/london.ts'

const ratesTable: Table<CommissionRate> = {
  title: 'Commission rates',
  empty: 'No rates.',
  columns: [
    { title: 'TIER', text: ({ tierName }) => tierName },
    { title: 'RATE', text: ({ rate }) => `${rate}%`, align: 'right' },
    { title: 'FROM', text: ({ validFrom }) => (validFrom === null ? 'the beginning' : dayLabel(validFrom)) },
  ],
  csv: csvFields(['tierSlug', 'tierName', 'rate', 'validFrom']),
}

const list = showRow({
  usage: '',
  description: 'List each tier’s commission rate, in per cent',
  examples: [''],
  read:
    () =>
    ({ api }) =>
      request(CommissionRateList, api.admin['commission-rates'].get()),
  output: (rates) => tableOutput(ratesTable, rates),
})

const set = changeRow<CommissionRateRequest>({
  usage: 'set <tier> <rate>',
  description: 'Set a tier’s rate from a day on (commission already recorded doesn’t change)',
  options: [['--from <YYYY-MM-DD>', 'first day the rate applies (default: today)']],
  examples: ['set xl 12 --from 2027-01-01'],
  plan({ argument, option }) {
    const validFrom = parseOption(Day, option('from'), '--from')
    const given = { tierSlug: argument(0), rate: Number(argument(1)), validFrom }
    const facts = parseArgument(CommissionRateRequest, withoutUnset(given))
    const details = [
      { label: 'Tier', value: facts.tierSlug },
      { label: 'Rate', value: `${facts.rate}%` },
      { label: 'From', value: facts.validFrom === undefined ? 'today' : dayLabel(facts.validFrom) },
    ]
    const output = recordOutput('Plan', details, facts)
    return async () => ({ facts, output, question: null })
  },
  apply:
    (_call, body) =>
    async ({ api }) => {
      const record = await request(CommissionRate, api.admin['commission-rates'].post(body))
      return { sentence: `${record.tierName}: ${record.rate}% from ${formatLongDate(record.validFrom ?? '')}.`, record }
    },
})

export const rateRows = [list, set]
