import type { NextPayment } from '#shared/contract/billing.ts'
import type { PeriodPrice } from '#shared/rules/charge.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { dueText, priceText, untakenText } from '#shared/rules/payment-words.ts'
import { everyPeriod, onePeriod, type Period, periodWord } from '#shared/rules/price-words.ts'
import { type Block, greeting, type Message, paragraph } from './layout.ts'

type Membership = { firstName: string | null; tierName: string; billingUrl: string }

export type RenewalNotice = Membership & {
  /** By the provider's preview. */
  next: NextPayment
  /** Of what it pays for. */
  period: Period
  /** What else they pay from then on; null if nothing changes. */
  change: { tierName: string; before: PeriodPrice; after: PeriodPrice } | null
}

/** Before a year renews. Owners' words go around it. */
export function renewalMail(notice: RenewalNotice): Message {
  const { firstName, next, billingUrl } = notice
  const day = formatLongDate(next.on)
  return {
    subject: `Your membership renews on ${day}`,
    heading: `${greeting(firstName)} your membership renews on ${day}`,
    blocks: [paragraph(takenText(notice)), ...sumBlocks(next), ...changeBlocks(notice), ...stopBlocks(day, billingUrl)],
  }
}

/** We’ll take £3,000.00 (£2,500.00 + £500.00 VAT) on 12 July 2027 for your next year of Alliance. */
function takenText({ next, period, tierName, change }: Pick<RenewalNotice, 'next' | 'period' | 'tierName' | 'change'>) {
  const day = formatLongDate(next.on)
  const what =
    change !== null && (change.tierName !== tierName || periodWord(change.before) !== periodWord(change.after))
      ? `${onePeriod(period)} of ${change.tierName}`
      : `your next ${periodWord(period)} of ${tierName}`
  if (next.due > 0) return `We’ll take ${dueText(next)} on ${day} for ${what}.`
  const nothing = `There’s nothing to pay on ${day} for ${what}`
  return `${untakenText(next, { free: nothing, credit: `Your credit pays for ${what} on ${day}`, none: nothing })}.`
}

/** Where credit, a debt or something beside the membership makes it another sum. */
function sumBlocks(next: NextPayment): Block[] {
  const others = (next.others ?? []).map(
    ({ description, total }) => [description, formatPoundsAndPence(total)] as const,
  )
  const isOther = next.due !== next.total
  const rows = [...(isOther ? [['Price', priceText(next)] as const] : []), ...others]
  return rows.length === 0 ? [] : [{ kind: 'rows', rows }]
}

const planText = ({ net, ...period }: PeriodPrice) => `${formatPoundsAndPence(net)} + VAT ${everyPeriod(period)}`

function changeBlocks({ tierName, change }: Pick<RenewalNotice, 'tierName' | 'change'>): Block[] {
  if (change === null) return []
  const { before, after } = change
  const [period, next] = [before, after].map((price) => periodWord(price))
  const text =
    change.tierName !== tierName
      ? `Your tier changes that day, from ${tierName} to ${change.tierName}.`
      : period === next
        ? 'Your price changes that day.'
        : `From that day you pay by the ${next}.`
  const rows = [
    ['Until then', planText(before)],
    ['From then on', planText(after)],
  ] as const
  return [paragraph(text), { kind: 'rows', rows }]
}

const stopBlocks = (day: string, billingUrl: string): Block[] => [
  paragraph(
    `Don’t want to carry on? Open Billing before ${day}, press Cancel membership, and press it again to confirm. You keep your access until then, and we won’t take the payment.`,
  ),
  paragraph('There’s a copy of this email in the members’ area.'),
  { kind: 'button', label: 'Open Billing', url: billingUrl },
]

export type Reminder = Membership & {
  next: NextPayment
  /** Of the period it pays for. */
  period: Period
}

/** To private customers, every six months while they pay by less than a year. */
export function reminderMail({ firstName, tierName, next, period, billingUrl }: Reminder): Message {
  const day = formatLongDate(next.on)
  return {
    subject: `Your next payment is on ${day}`,
    heading: `${greeting(firstName)} your membership carries on`,
    blocks: [
      paragraph(`You pay for ${tierName} ${everyPeriod(period).replace(/^a /, 'every ')}, until you cancel.`),
      paragraph(takenText({ next, period, tierName, change: null })),
      ...sumBlocks(next),
      ...stopBlocks(day, billingUrl),
    ],
  }
}

/** To private customers, before the first full payment after any free or cheaper time. */
export function fullPriceMail({ firstName, tierName, next, period, billingUrl }: Reminder): Message {
  const day = formatLongDate(next.on)
  return {
    subject: `You pay the full price from ${day}`,
    heading: `${greeting(firstName)} you pay the full price from ${day}`,
    blocks: [
      paragraph(`Your free or reduced price for ${tierName} ends on ${day}.`),
      paragraph(takenText({ next, period, tierName, change: null })),
      ...sumBlocks(next),
      ...stopBlocks(day, billingUrl),
    ],
  }
}

export type CoolingOffNotice = Membership & {
  period: Period
  /** Pence including VAT, as paid for the whole period. */
  paid: number
  /** The first day, the last of those on which they may cancel, and the day after the period's last one. */
  begins: string
  until: string
  ends: string
  contactUrl: string
  /** Where they can write; empty if the business has none. */
  email: string
}

/** To private customers, on the day that a year or a first full price begins. Nothing else is in it, owners' words neither. */
export function coolingOffMail(notice: CoolingOffNotice): Message {
  const { firstName, tierName, period, paid, contactUrl, email, billingUrl } = notice
  const [begins, until, ends] = [notice.begins, notice.until, notice.ends].map(formatLongDate)
  const write = email === '' ? '' : `, email ${email}`
  return {
    subject: `You can cancel until ${until}`,
    heading: `${greeting(firstName)} you can cancel until ${until}`,
    blocks: [
      paragraph(
        `Your ${periodWord(period)} of ${tierName} began on ${begins} and runs to ${ends}. You paid ${formatPoundsAndPence(paid)} for it. You have until the end of ${until} to change your mind.`,
      ),
      paragraph(
        `To cancel, tell us clearly: open Billing and press Cancel membership${write}, or use our contact form: ${contactUrl}`,
      ),
      paragraph(
        'We’ll end your membership and refund the days you haven’t used, counted from the day you tell us. You don’t need a reason.',
      ),
      { kind: 'button', label: 'Open Billing', url: billingUrl },
    ],
  }
}
