import { formatLongDate } from '#shared/rules/london.ts'
import type { Price } from '#shared/rules/money.ts'
import { billOf, monthlyLabels } from './amounts.ts'
import { greeting, type Message, paragraph } from './layout.ts'

export type TierChange = Price & {
  firstName: string | null
  fromName: string
  toName: string
  /** A day or an instant of the billing clock. */
  on: string
  billingUrl: string
}

/** Booked for the next payment. Amounts are of the new tier. */
export function tierChangeMail(change: TierChange): Message {
  const day = formatLongDate(change.on)
  return {
    subject: `${change.toName} from ${day}`,
    heading: `${greeting(change.firstName)} your tier changes on ${day}`,
    blocks: [
      paragraph(
        `Your membership changes from ${change.fromName} to ${change.toName} on ${day}, with the next payment.`,
      ),
      paragraph('Until then everything stays as it is, and nothing is taken for the change.'),
      billOf(change, monthlyLabels),
      paragraph('You can undo it under Billing before then.'),
      { kind: 'button', label: 'Open Billing', url: change.billingUrl },
    ],
  }
}

/** Taken back before it took effect. Amounts are of the tier that stays. */
export function tierKeptMail(change: TierChange): Message {
  return {
    subject: `You stay on ${change.fromName}`,
    heading: `${greeting(change.firstName)} your tier stays as it is`,
    blocks: [
      paragraph(`The change to ${change.toName} is undone. You stay on ${change.fromName}.`),
      billOf(change, monthlyLabels),
      { kind: 'rows', rows: [['Next payment', formatLongDate(change.on)]] },
      { kind: 'button', label: 'Open Billing', url: change.billingUrl },
    ],
  }
}
