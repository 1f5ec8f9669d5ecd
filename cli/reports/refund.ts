import type { Report } from '#cli/output.ts'
import { type Fact, factsText } from '#cli/table.ts'
import type { GuaranteeRefund } from '#shared/contract/admin.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'

export function refundReport(refund: GuaranteeRefund): Report {
  const facts: Fact[] = [
    { label: 'Given back', value: `${formatPoundsAndPence(refund.refunded)} including VAT` },
    { label: 'Membership', value: 'ended' },
  ]
  return {
    answer: refund,
    sheet: () => ({ head: ['refunded', 'subscriptionId'], rows: [[refund.refunded, refund.subscriptionId]] }),
    text: () => factsText(facts),
    async view(width) {
      const [{ draw }, { FactsView }] = await Promise.all([
        import('#cli/views/draw.tsx'),
        import('#cli/views/facts.tsx'),
      ])
      return draw(FactsView, { title: 'Money-back guarantee', facts, width })
    },
  }
}
