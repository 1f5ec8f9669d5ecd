import { shortReference } from '#shared/rules/id.ts'
import { formatMoment } from '#shared/rules/london.ts'
import { formatPoundsAndPence, type Price, vatRate } from '#shared/rules/money.ts'
import { greeting, type Message, paragraph } from './layout.ts'

export type OrderMail = Price & {
  id: string
  firstName: string
  lastName: string
  email: string
  businessName: string
  packageName: string
  paidAt: string | null
  typed: readonly (readonly [label: string, value: string])[]
  steps: readonly string[]
  help: { email: string; phone: string; response: string; hours: string }
}

/** To the buyer: what they bought and what happens next. The VAT invoice is a separate email. */
export function orderReceivedMail(order: OrderMail): Message {
  const { steps, help } = order
  return {
    subject: 'You’ve ordered your Quotient setup',
    heading: `${greeting(order.firstName)} your setup is on its way`,
    blocks: [
      paragraph(`Thanks for paying for your Quotient ${order.packageName}. Here’s what happens next:`),
      { kind: 'steps', steps },
      { kind: 'rows', rows: priceRows(order) },
      paragraph(
        `Questions? Email ${help.email} or ring ${help.phone}. We answer within ${help.response}, ${help.hours}. Your reference is ${shortReference(order.id)}.`,
      ),
      paragraph('Your VAT invoice comes in a separate email.'),
    ],
  }
}

/** To the owners, with every field, so they can start. */
export function orderNoticeMail(order: OrderMail): Message {
  const { firstName, lastName, paidAt, typed } = order
  const name = `${firstName} ${lastName}`.trim()
  return {
    subject: `Quotient order from ${name}`,
    heading: `Quotient ${order.packageName} ordered by ${name}`,
    blocks: [
      paragraph('Paid. Start the setup within 24 hours.'),
      { kind: 'rows', rows: typed },
      { kind: 'rows', rows: priceRows(order) },
      {
        kind: 'rows',
        rows: [
          ...(paidAt === null ? [] : [['Paid', formatMoment(paidAt)] as const]),
          ['Reference', shortReference(order.id)],
        ],
      },
      paragraph(`Reply to write to ${order.email}.`),
    ],
  }
}

const priceRows = ({ packageName, net, vat, total }: OrderMail) =>
  [
    [`${packageName}, net`, formatPoundsAndPence(net)],
    [`VAT ${vatRate}%`, formatPoundsAndPence(vat)],
    ['Total paid', formatPoundsAndPence(total)],
  ] as const
