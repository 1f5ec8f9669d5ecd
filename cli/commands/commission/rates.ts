import type { Command } from 'commander'
import { type SharedOptions, withClient } from '#cli/client.ts'
import { examples } from '#cli/help.ts'
import type { Io } from '#cli/io.ts'
import { dayLabel } from '#cli/labels.ts'
import { print, printOutcome, tableOutput } from '#cli/output.ts'
import { parseArgument, parseOption, request } from '#cli/request.ts'
import { csvFields, type Table } from '#cli/table.ts'
import { CommissionRate, CommissionRateList, CommissionRateRequest } from '#shared/contract/commission.ts'
import { Day } from '#shared/contract/fields.ts'
import { formatLongDate } from '#shared/rules/london.ts'

export function registerRates(rates: Command, io: Io): void {
  rates
    .description('List the commission rate of each tier, in per cent')
    .addHelpText('after', examples('commission rates'))
    .action((_own, command: Command) => listRates(io, command.optsWithGlobals()))
  rates
    .command('set <tier> <rate>')
    .description('Set the rate of a tier from a day on; commission already recorded does not change')
    .option('--from <YYYY-MM-DD>', 'first day the rate applies (default: today)')
    .addHelpText('after', examples('commission rates set xl 12 --from 2027-01-01'))
    .action((tier: string, rate: string, _own, command: Command) => setRate(io, command.optsWithGlobals(), tier, rate))
}

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

async function listRates(io: Io, options: SharedOptions): Promise<void> {
  const rates = await withClient(io, options, ({ api }) =>
    request(CommissionRateList, api.admin['commission-rates'].get()),
  )
  await print(io, options, tableOutput(ratesTable, rates))
}

async function setRate(io: Io, options: SharedOptions & { from?: string }, tierSlug: string, rate: string) {
  const validFrom = parseOption(Day, options.from, '--from')
  const body = parseArgument(CommissionRateRequest, {
    ...{ tierSlug, rate: Number(rate) },
    ...(validFrom === undefined ? {} : { validFrom }),
  })
  const set = await withClient(io, options, ({ api }) =>
    request(CommissionRate, api.admin['commission-rates'].post(body)),
  )
  const from = formatLongDate(set.validFrom ?? '')
  await printOutcome(io, options, { record: set, sentence: `${set.tierName}: ${set.rate}% from ${from}.` })
}
