import { ask } from '#cli/ask.ts'
import { type SharedOptions, withClient } from '#cli/client.ts'
import { type Io, say } from '#cli/io.ts'
import { isForScript, print } from '#cli/output.ts'
import { readingsReport } from '#cli/reports/content.ts'
import { SiteContentResponse } from '#shared/contract/page-texts.ts'
import { MembershipTierList } from '#shared/contract/tier.ts'
import { unknownPriceMentions } from '#shared/rules/price-mentions.ts'

export async function checkContent(io: Io, options: SharedOptions): Promise<void> {
  const [content, { tiers }] = await withClient(io, options, (client) =>
    Promise.all([
      ask(SiteContentResponse, client.api['site-content'].get({ query: {} })),
      ask(MembershipTierList, client.api['membership-tiers'].get()),
    ]),
  )
  await print(io, options, readingsReport(unknownPriceMentions(content, tiers)))
  if (isForScript(options)) return
  const prices = tiers.map(({ name, price }) => `${name} £${price / 100}`).join(', ')
  await say(io, `Charged, a month excluding VAT: ${prices}.`)
}
