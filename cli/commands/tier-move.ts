import type { Command } from 'commander'
import { CliError, exitCodes } from '#cli/exit-codes.ts'
import type { Io } from '#cli/io.ts'
import { parseArgument, request } from '#cli/request.ts'
import { changeRow, registerRows } from '#cli/rows.ts'
import { AdminTierList, PriceChange, PricePreview } from '#shared/contract/admin-tier.ts'
import { TierSlug } from '#shared/contract/tier.ts'
import { plural } from '#shared/rules/plural.ts'
import { previewOutput, registerTiers } from './tiers.ts'

/** The price does not change: those who pay another one are told that they pay it too, once their notice is over. */
const move = changeRow<PricePreview>({
  usage: 'move <tier>',
  description: 'Tell members who pay another price that they move to the tier’s own, after thirty days’ notice',
  examples: ['move xl --dry-run', 'move xl'],
  asks: true,
  mayCreate: true,
  plan(call) {
    const slug = parseArgument(TierSlug, call.argument(0).toLowerCase())
    return async ({ api }) => {
      const tier = (await request(AdminTierList, api.admin.tiers.get())).find((one) => one.slug === slug)
      if (tier === undefined)
        throw new CliError(exitCodes.notFound, 'This tier was not found. See: alliance tiers list')
      const facts = await request(
        PricePreview,
        api.admin.tiers({ tier: slug }).price.get({ query: { price: tier.price } }),
      )
      const moving = facts.members.filter(({ stays }) => stays === null).length
      return {
        facts,
        output: previewOutput(facts),
        question: `Tell ${plural(moving, 'member')} of ${tier.name} by mail that they move?`,
      }
    }
  },
  apply:
    (_call, { slug, to: price, confirmation }) =>
    async ({ api }) => {
      const body = { price, movesMembers: true, confirmation }
      const { tier, told } = await request(PriceChange, api.admin.tiers({ tier: slug }).price.post(body))
      return { sentence: `${plural(told, 'member')} of ${tier.name} told.`, record: { slug, price: tier.price, told } }
    },
})

export const tierRows = [move]

/** With the commands that were there before it. */
export function registerAllOfTiers(tiers: Command, io: Io): void {
  registerTiers(tiers, io)
  registerRows(tiers, io, tierRows)
}
