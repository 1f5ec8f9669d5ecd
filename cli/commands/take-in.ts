import { emptyLabel, timeLabel } from '#cli/labels.ts'
import { recordOutput } from '#cli/output.ts'
import { parseArgument, request } from '#cli/request.ts'
import { changeRow } from '#cli/rows.ts'
import { LostOrder, LostOrderRequest, TakenInOrder } from '#shared/contract/lost-order.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'

export const takeInRow = changeRow<LostOrder>({
  usage: 'take-in <invoice-id>',
  description: 'Recover an order paid after the backup you restored, and issue its VAT invoice',
  examples: ['take-in in_1Example --dry-run', 'take-in in_1Example'],
  asks: true,
  plan({ argument }) {
    const query = parseArgument(LostOrderRequest, { invoice: argument(0) })
    return async ({ api }) => {
      const facts = await request(LostOrder, api.admin['lost-orders'].get({ query }))
      const question = facts.isKnown ? null : `Recover the order from ${facts.email}?`
      return { facts, output: planOutput(facts), question }
    }
  },
  apply:
    (_call, { invoice, email }) =>
    async ({ api }) => {
      const { orderId, invoices } = await request(TakenInOrder, api.admin['lost-orders'].post({ invoice }))
      const issued = invoices.length === 0 ? '' : ` Invoice ${invoices.join(', ')} is issued.`
      return {
        sentence: `The order from ${email} is back in your orders.${issued}`,
        record: { orderId, email, invoices: invoices.join(' ') },
        notes: ['Stripe doesn’t have the rest of their form. Ask them for it.'],
      }
    },
})

function planOutput(lost: LostOrder) {
  const { invoice, customer, email, name, packageType, total, paidAt, address, isKnown } = lost
  const postal = address === null ? emptyLabel : [address.line1, address.town, address.postcode].join(', ')
  const details = [
    { label: 'Payment', value: isKnown ? `${invoice}, already in the books` : invoice },
    { label: 'Name', value: name || emptyLabel },
    { label: 'Email', value: email || emptyLabel },
    { label: 'Address', value: postal },
    { label: 'Package', value: packageType },
    { label: 'Total', value: formatPoundsAndPence(total) },
    { label: 'Paid', value: timeLabel(paidAt) },
  ]
  const record = { invoice, customer, email, name, packageType, total, paidAt, isKnown }
  return recordOutput('Plan', details, record, lost)
}
