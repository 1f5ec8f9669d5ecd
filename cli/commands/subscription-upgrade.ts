import * as v from 'valibot'
import { findTier, priceToBook } from '#cli/commands/tiers/list.ts'
import { personLabel } from '#cli/labels.ts'
import { type Output, recordOutput } from '#cli/output.ts'
import { parseArgument, parseOption, request } from '#cli/request.ts'
import { changeRow } from '#cli/rows.ts'
import type { Detail } from '#cli/table.ts'
import { MemberRecord } from '#shared/contract/member-record.ts'
import { PricePeriod, TierSlug } from '#shared/contract/tier.ts'
import { UpgradePreview, UpgradeResult } from '#shared/contract/upgrade.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { formatPoundsAndPence, type Price } from '#shared/rules/money.ts'
import { methodLabel } from '#shared/rules/payment-method.ts'
import { dueText, nextText, priceText } from '#shared/rules/payment-words.ts'
import { nameOrEmail } from '#shared/rules/person-name.ts'
import { memberNamed } from './members/list.ts'

/** Who for, and the exact cost: the server holds that amount for ten minutes, and only starts the upgrade at it. */
const UpgradeFacts = v.object({ memberId: v.string(), name: v.string(), email: v.string(), preview: UpgradePreview })
type UpgradeFacts = v.InferOutput<typeof UpgradeFacts>

export const upgradeRow = changeRow<UpgradeFacts>({
  usage: 'upgrade <id-or-email> <tier>',
  description: 'Upgrade a member today and charge the difference',
  options: [['--every <month|year>', 'which of its prices; without it, as often as they pay now, if it’s sold so']],
  examples: [
    'upgrade sam@example.com xl --dry-run',
    'upgrade sam@example.com xl',
    'upgrade sam@example.com standard --every year',
  ],
  asks: true,
  plan({ io, argument, option }) {
    const asked = parseOption(PricePeriod, option('every'), '--every')
    const read = memberNamed(argument(0))
    const tierSlug = parseArgument(TierSlug, argument(1).toLowerCase())
    return async (client) => {
      const member = await read(client)
      const memberId = member.id
      const who = { memberId, name: nameOrEmail(member), email: member.email }
      const { upgrade, record } = client.api.admin.members({ memberId })
      const ask = async () => {
        const { billing } = await request(MemberRecord, record.get())
        const { id: priceId } = priceToBook(await findTier(client, tierSlug), { asked, plan: billing.plan })
        return request(UpgradePreview, upgrade.preview.post({ tierSlug, priceId }))
      }
      // The amount changes by the second. A saved plan keeps the amount that was shown, which the server knows by its id.
      const saved = v.safeParse(UpgradeFacts, io.plan?.facts)
      const preview = saved.success ? saved.output.preview : await ask()
      const starts = `Start ${preview.to.name} today for ${personLabel(who)}`
      const question =
        preview.due > 0
          ? `${starts} and take ${formatPoundsAndPence(preview.due)} including VAT from their card?`
          : `${starts}, paid from their credit?`
      return { facts: { ...who, preview }, output: upgradeOutput(preview, null), question }
    }
  },
  apply:
    (_call, { memberId, preview }) =>
    async ({ api }) => {
      const { attemptId } = preview
      const result = await request(UpgradeResult, api.admin.members({ memberId }).upgrade.post({ attemptId }))
      return upgradeOutput(preview, result)
    },
})

/** A credit as a negative amount: it's already paid. */
const lessOf = ({ net, vat, total }: Price): Price => ({ net: -net, vat: -vat, total: -total })

function balanceDetails({ net, vat, total, due, fromCredit }: UpgradePreview): Detail[] {
  if (due === total) return []
  const balance =
    fromCredit > 0
      ? { label: 'From their credit', value: formatPoundsAndPence(0 - fromCredit) }
      : { label: 'Owed from before', value: formatPoundsAndPence(due - total) }
  return [{ label: 'Total', value: priceText({ net, vat, total }) }, balance]
}

/** Without the attempt's id, which has been used and always differs. */
function upgradeOutput(preview: UpgradePreview, result: UpgradeResult | null): Output {
  const { from, to, charge, credit, net, vat, total, due, fromCredit, nextBill, card } = preview
  const status = result?.status ?? 'preview'
  const details: Detail[] = [
    { label: 'Tier', value: `${from.name} → ${to.name}` },
    { label: `Until ${formatLongDate(nextBill.on)}`, value: priceText(charge) },
    { label: 'Less unused days', value: priceText(lessOf(credit)) },
    ...balanceDetails(preview),
    { label: result === null ? 'To be charged' : 'Charged', value: dueText(preview) },
    ...(due > 0 ? [{ label: 'From', value: methodLabel(card) }] : []),
    { label: 'Next payment', value: nextText(nextBill, 'Their') },
    ...(status === 'processing' ? [{ label: 'Status', value: 'paid, starting shortly' }] : []),
  ]
  const record = { status, from: from.slug, to: to.slug, net, vat, total, due, fromCredit }
  const next = { nextBillOn: nextBill.on, nextBillTotal: nextBill.total, nextBillDue: nextBill.due }
  const json = { status, from: from.slug, to: to.slug, charge, credit, net, vat, total, due, fromCredit, nextBill }
  return recordOutput(result === null ? 'Upgrade today' : 'Upgraded', details, { ...record, ...next }, json)
}
