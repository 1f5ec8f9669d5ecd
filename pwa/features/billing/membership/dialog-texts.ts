import { nextPaymentDay, openInvoiceLabel, priceText } from '#pwa/features/billing/billing-texts.ts'
import type { BillingSubscription } from '#shared/contract/billing.ts'
import type { UpgradePreview } from '#shared/contract/upgrade.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { formatPoundsAndPence, type Price } from '#shared/rules/money.ts'
import { methodLabel } from '#shared/rules/payment-method.ts'

/** What the dialog says that cancelling does. */
export function cancelTexts(billing: BillingSubscription): string[] {
  const day = nextPaymentDay(billing)
  switch (billing.status) {
    case 'active':
      return [
        ...(billing.isRevoked ? [] : [day ? `You keep your access until ${formatLongDate(day)}.` : accessToMonthEnd]),
        'You pay by the month: this stops the next payment. After that your membership ends and no further payment is taken.',
        ...droppedTierChangeTexts(billing),
        'You can change your mind until then.',
      ]
    case 'trialing':
      return [
        day
          ? `Your membership ends on ${formatLongDate(day)}, before its first payment.`
          : 'It ends before its first payment.',
        ...droppedTierChangeTexts(billing),
        'Nothing is taken. You can change your mind until then.',
      ]
    case 'past_due':
      return [
        'Your membership ends with the current month, and no new payment is taken.',
        `${openInvoiceLabel(billing)} stays open until then, and may still be taken from your card. After that it is dropped.`,
      ]
    case 'incomplete':
      return ['The unfinished payment is dropped. Nothing has been taken, and nothing will be.']
    default:
      return ['Your membership ends straight away, and nothing more is taken.', 'You can start a new one anytime.']
  }
}

/** Cancelling also drops a booked tier change. Resuming the membership does not bring it back. */
const droppedTierChangeTexts = ({ nextPlan, plan }: BillingSubscription) =>
  nextPlan === null || nextPlan.slug === plan?.slug ? [] : [`Your change to ${nextPlan.name} is dropped.`]

const accessToMonthEnd = 'You keep your access until the end of the month you have paid for.'

/** What the dialog says that ending does, for a membership whose payments have stopped. */
export const endTexts = [
  'Your membership ends straight away. What you still owe is dropped: we will not ask for it again.',
  'Then you choose a tier and start a new membership. Nothing is taken before you pay for that.',
]

/** What the dialog says that resuming does and costs. */
export function resumeTexts(billing: BillingSubscription): string[] {
  const day = nextPaymentDay(billing)
  const price = billing.nextPlan ?? billing.plan
  if (billing.status === 'paused') {
    return [
      price === null
        ? 'Your membership carries on, and its next month is due.'
        : `Your membership carries on: ${priceText(price)} is due now, and the same every month until you cancel.`,
      'Nothing is taken yet: you pay in the next step.',
    ]
  }
  if (price === null) return ['Your membership carries on. Nothing is taken today.']
  return [
    'Nothing is taken today, and your membership carries on.',
    billing.isNextFree
      ? `${onDayText(day)} nothing is taken: that month is free. After it we take ${priceText(price)} every month until you cancel.`
      : `${onDayText(day)} we take ${priceText(price)}, and the same every month until you cancel.`,
  ]
}

/** What is said once it is done, by what the membership is then. */
export const resumedTexts = ({ openInvoice }: BillingSubscription): [title: string, text: string] =>
  openInvoice === null
    ? ['Membership resumed', 'It carries on as before.']
    : ['One step to go', `Pay ${formatPoundsAndPence(openInvoice.total)} and your membership starts up again.`]

type NamedPrice = Price & { name: string }

export function tierChangeTexts(billing: BillingSubscription, to: NamedPrice): string[] {
  const until = billing.plan ? [`Until then you keep ${billing.plan.name}.`] : []
  return [
    'Nothing is taken today.',
    billing.isNextFree
      ? `${startText(nextPaymentDay(billing), to)}, and its first month is free. After it we take ${priceText(to)} every month.`
      : `${onDayText(nextPaymentDay(billing))} we take ${priceText(to)} for ${to.name}, and the same every month after.`,
    ...until,
    'You can undo this until that day, and cancel anytime.',
  ]
}

/** What the dialog says that starting the tier today does and costs. */
export function upgradeTexts({ from, to, charge, credit, nextBill, card }: UpgradePreview): string[] {
  const day = formatLongDate(nextBill.on)
  return [
    `${formatPoundsAndPence(charge.total)} for ${to.name} until ${day}, less ${formatPoundsAndPence(credit.total)} that you have paid for ${from.name}.`,
    `It is taken from ${methodLabel(card)} now, and ${to.name} starts as soon as it is paid.`,
    `On ${day} we take ${priceText(nextBill)}, and the same every month after. You can cancel anytime.`,
  ]
}

const startText = (day: string | null, { name }: NamedPrice) =>
  day === null ? `${name} starts with your next month` : `${name} starts on ${formatLongDate(day)}`

const onDayText = (day: string | null) => (day === null ? 'With your next payment' : `On ${formatLongDate(day)}`)
