import { usageError } from '#cli/exit-codes.ts'
import { recordOutput } from '#cli/output.ts'
import { parseOption, request } from '#cli/request.ts'
import { changeRow } from '#cli/rows.ts'
import { AdminTier, PriceChange, PricePreview } from '#shared/contract/admin-tier.ts'
import { Day } from '#shared/contract/fields.ts'
import type { PricePeriod, TierSlug } from '#shared/contract/tier.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'
import { exactPriceText } from '#shared/rules/tier-prices.ts'
import { periodsOf, requestUntrue, untrueDetails } from './catalogue.ts'
import { everyIn, previewOutput, requestTiers, slugIn, tierIn } from './list.ts'
import { parsePounds } from './pounds.ts'

type Facts = { preview: PricePreview; movesMembers: boolean }

/** A price goes on sale straight away or from its day. Who pays another one keeps it, unless they’re moved. */
export const setPrice = changeRow<Facts>({
  usage: 'set <tier> <month|year> <pounds>',
  description: 'Set a tier’s monthly or yearly price, now or from a day',
  options: [
    ['--from <day>', 'the day the new price starts, such as 2027-01-01; without it, now'],
    ['--move-members', 'tell members, who pay the new price after 30 days’ notice'],
  ],
  examples: ['set xl year 4500', 'set xl month 475 --from 2027-01-01', 'set xl month 475 --move-members --dry-run'],
  asks: true,
  mayCreate: true,
  plan(call) {
    const [slug, every] = [slugIn(call), everyIn(call)]
    const price = parsePounds(call.argument(2), 'A price', every)
    const from = parseOption(Day, call.option('from'), '--from')
    const movesMembers = call.options.moveMembers === true
    if (from !== undefined && movesMembers)
      throw usageError('Members can be moved once the price has started. Leave out --move-members.')
    return async (client) => {
      const tiers = await requestTiers(client)
      const sold = new Set([...periodsOf(tierIn(tiers, slug)), every])
      const untrue = await requestUntrue(client, tiers, { slug, every: [...sold] })
      const asked = client.api.admin.tiers({ tier: slug }).price
      const preview = await request(PricePreview, asked.get({ query: { every, price, from } }))
      const moving = preview.members.filter(({ stays }) => stays === null).length
      const start = preview.startsOn === null ? '' : ` from ${formatLongDate(preview.startsOn)}`
      const what = `Sell ${preview.name} at ${exactPriceText({ net: price, every })}${start}`
      const notes = preview.notes.map((note) => ` ${note}`).join('')
      const question = movesMembers
        ? `${what}, and tell ${plural(moving, 'member')} by email that they pay it too?${notes}`
        : `${what}? Members keep their current price.${notes}`
      return { facts: { preview, movesMembers }, output: previewOutput(preview, untrueDetails(untrue)), question }
    }
  },
  apply:
    (_call, { preview: { slug, every, to, startsOn, confirmation }, movesMembers }) =>
    async ({ api }) => {
      const body = { every, price: to, movesMembers, confirmation, ...(startsOn === null ? {} : { from: startsOn }) }
      const { tier, told } = await request(PriceChange, api.admin.tiers({ tier: slug }).price.post(body))
      const what = `${tier.name} costs ${exactPriceText({ net: to, every })} for new members`
      const record = { slug, every, price: to, from: startsOn ?? '', told }
      if (startsOn !== null) return { sentence: `${what} from ${formatLongDate(startsOn)}.`, record }
      return { sentence: `${what}. ${plural(told, 'member')} told.`, record }
    },
})

type StopFacts = { slug: TierSlug; name: string; every: PricePeriod; version: number }

export const stopPrice = changeRow<StopFacts>({
  usage: 'stop <tier> <month|year>',
  description: 'Take one of a tier’s prices off sale. Members who pay it keep it',
  examples: ['stop xl year --dry-run', 'stop xl year'],
  asks: true,
  plan(call) {
    const [slug, every] = [slugIn(call), everyIn(call)]
    return async (client) => {
      const tiers = await requestTiers(client)
      const { name, version, prices } = tierIn(tiers, slug)
      const others = prices.flatMap((price) => (price.isOffered && price.every !== every ? [price.every] : []))
      const members = prices.find((price) => price.every === every)?.members ?? 0
      const facts = { slug, name, every, version }
      const details = [
        { label: 'Tier', value: name },
        { label: 'Stops', value: `its ${every}ly price` },
        { label: 'Keep it', value: plural(members, 'member') },
        ...untrueDetails(await requestUntrue(client, tiers, { slug, every: others })),
      ]
      const question = `Stop selling ${name} by the ${every}?`
      return { facts, output: recordOutput('Plan', details, { slug, every }, facts), question }
    }
  },
  apply:
    (_call, { slug, name, every, version }) =>
    async ({ api }) => {
      await request(AdminTier, api.admin.tiers({ tier: slug }).price.offer.delete({ every, version }))
      return { sentence: `${name} isn’t sold by the ${every} any more.`, record: { slug, every } }
    },
})

export const tierPriceRows = [setPrice, stopPrice]
