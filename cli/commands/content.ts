import type { Command } from 'commander'
import { type SharedOptions, withClient } from '#cli/client.ts'
import { examples } from '#cli/help.ts'
import type { Io } from '#cli/io.ts'
import { note, print, tableOutput } from '#cli/output.ts'
import { request } from '#cli/request.ts'
import { csvFields, type Table } from '#cli/table.ts'
import { SiteContentResponse } from '#shared/contract/page-texts.ts'
import { MembershipTierList } from '#shared/contract/tier.ts'
import { type PriceMention, unknownPriceMentions } from '#shared/rules/price-mentions.ts'

export function registerContent(content: Command, io: Io): void {
  content
    .command('check')
    .description('List monthly prices in the texts that are not the price of any tier')
    .addHelpText('after', examples('content check'))
    .action((_own, command: Command) => checkContent(io, command.optsWithGlobals()))
}

const pricesTable: Table<PriceMention> = {
  title: 'Prices in the texts',
  empty: "Every monthly price on the site is a tier's price.",
  columns: [
    { title: 'PRICE', text: ({ words }) => words, minWidth: 12 },
    { title: 'PLACE', text: ({ place }) => place, minWidth: 16 },
  ],
  csv: [...csvFields(['place', 'words']), { name: 'pricePence', cell: ({ price }) => price }],
}

async function checkContent(io: Io, options: SharedOptions): Promise<void> {
  const [content, { tiers }] = await withClient(io, options, ({ api }) =>
    Promise.all([
      request(SiteContentResponse, api['site-content'].get({ query: {} })),
      request(MembershipTierList, api['membership-tiers'].get()),
    ]),
  )
  await print(io, options, tableOutput(pricesTable, unknownPriceMentions(content, tiers)))
  const prices = tiers.map(({ name, price }) => `${name} £${price / 100}`).join(', ')
  await note(io, options, `Prices of the tiers, monthly, excluding VAT: ${prices}.`)
}
