import { formatLongDate, londonClock } from '#shared/rules/london.ts'
import { formatPoundsAndPence, type Price } from '#shared/rules/money.ts'
import { type Block, billOf, greeting, type Message, monthlyLabels, paragraph } from './layout.ts'

type Membership = { firstName: string | null; tierName: string }

/** Cancelled: nothing more is charged, and access ends on a day. */
export function endingMail({
  firstName,
  tierName,
  endsOn,
  cancelledAt,
  isOwing,
  stateLine,
  billingUrl,
}: Ending): Message {
  const day = formatLongDate(endsOn)
  const taken = isOwing
    ? '. No new payment is taken. What is due now stays open until then, and may still be taken from your card; after that it is dropped.'
    : ', and nothing more is taken.'
  return {
    subject: `Your membership ends on ${day}`,
    heading: `${greeting(firstName)} your membership is cancelled`,
    blocks: [
      paragraph(stateLine),
      paragraph(
        `You cancelled your ${tierName} membership on ${formatLongDate(cancelledAt)}, ${londonClock(cancelledAt)}. It ends on ${day}${taken} Keep this email: a copy is in the members’ area too.`,
      ),
      paragraph('If you change your mind before then, press Resume membership under Billing.'),
      { kind: 'button', label: 'Open Billing', url: billingUrl },
    ],
  }
}

export type Ending = Membership & {
  endsOn: string
  /** When the provider was told, by the billing clock. */
  cancelledAt: string
  /** A renewal did not go through: the provider goes on trying it until the end. */
  isOwing: boolean
  /** What is paid or due, and until when access lasts. */
  stateLine: string
  billingUrl: string
}

/** The cancellation was undone. */
export function resumedMail({ firstName, tierName, stateLine, billingUrl }: Resumed): Message {
  return {
    subject: 'Your membership carries on',
    heading: `${greeting(firstName)} your membership carries on`,
    blocks: [
      paragraph(stateLine),
      paragraph(`We have undone your cancellation. Your ${tierName} membership carries on as before.`),
      { kind: 'button', label: 'Open Billing', url: billingUrl },
    ],
  }
}

export type Resumed = Membership & { stateLine: string; billingUrl: string }

export type Paused = Membership & {
  stateLine: string
  /** What the next month costs, in pence with VAT. */
  total: number
  /** They keep their access for another reason, such as free access. */
  keepsAccess: boolean
  resumeUrl: string
}

/** The provider has paused the membership: there was nothing to charge when a payment fell due. */
export function pausedMail({ firstName, tierName, stateLine, total, keepsAccess, resumeUrl }: Paused): Message {
  return {
    subject: 'Your membership is paused',
    heading: `${greeting(firstName)} your membership is paused`,
    blocks: [
      paragraph(stateLine),
      paragraph(
        keepsAccess
          ? `Your ${tierName} membership is paused. You keep your access all the same.`
          : `While your ${tierName} membership is paused you have no access to the videos and the community. You keep your account, your ticks and your invoices.`,
      ),
      paragraph(
        `To carry on, press Resume membership and pay for your next month, ${formatPoundsAndPence(total)} with VAT.${keepsAccess ? '' : ' Your access comes straight back.'}`,
      ),
      { kind: 'button', label: 'Resume membership', url: resumeUrl },
    ],
  }
}

export type Ended = Membership & {
  endedOn: string
  /** `asked`: cancelled by the member; `unpaid`: a payment did not go through. */
  cause: 'asked' | 'unpaid' | 'other'
  /** Until when an earlier mail promised access; null where the promise was kept, or none was made. */
  promisedUntil: string | null
  /** Null where access continues for another reason, or nothing may be sold to the member. */
  returnUrl: string | null
}

const endedBecause = {
  asked: ', as you asked',
  unpaid: ', because its payment did not go through',
  other: '',
}

const brokenPromise = (until: string) =>
  `We had told you that you keep your access until ${formatLongDate(until)}. It ended sooner, and we are sorry.`

/** The membership has ended. */
export function endedMail({ firstName, tierName, endedOn, cause, promisedUntil, returnUrl }: Ended): Message {
  const back: Block[] =
    returnUrl === null
      ? []
      : [
          paragraph('We keep your account, your ticks and your invoices. You can come back whenever you like.'),
          { kind: 'button', label: 'Start again', url: returnUrl },
        ]
  return {
    subject: 'Your membership has ended',
    heading: `${greeting(firstName)} your membership has ended`,
    blocks: [
      paragraph(`Your ${tierName} membership ended on ${formatLongDate(endedOn)}${endedBecause[cause]}.`),
      ...(promisedUntil === null ? [] : [paragraph(brokenPromise(promisedUntil))]),
      paragraph('Nothing more will be taken.'),
      ...back,
    ],
  }
}

export type TierChange = Price & {
  firstName: string | null
  fromName: string
  toName: string
  /** A day or an instant of the billing clock. */
  on: string
  /** The owners have made its first month free. */
  isFirstFree?: boolean
  billingUrl: string
}

/** A change of tier with the next payment. Amounts are of the new tier. */
export function tierChangeMail(change: TierChange): Message {
  const day = formatLongDate(change.on)
  const isFree = change.isFirstFree === true
  return {
    subject: `${change.toName} from ${day}`,
    heading: `${greeting(change.firstName)} your tier changes on ${day}`,
    blocks: [
      paragraph(
        `Your membership changes from ${change.fromName} to ${change.toName} on ${day}${isFree ? '' : ', with the next payment'}.`,
      ),
      ...(isFree
        ? [paragraph('That first month is free: nothing is taken on the day. The month after it is paid.')]
        : []),
      paragraph('Until then everything stays as it is, and nothing is taken for the change.'),
      billOf(change, monthlyLabels),
      paragraph('You can undo it under Billing before then.'),
      { kind: 'button', label: 'Open Billing', url: change.billingUrl },
    ],
  }
}

/** The change was undone before its day. Amounts are of the tier that stays. */
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

export type PriceMoveNotice = {
  firstName: string | null
  tierName: string
  before: Price
  after: Price
  /** The renewal from which the new price is taken: a day or an instant of the billing clock. */
  on: string
  billingUrl: string
}

const priceRow = (label: string, { net, vat, total }: Price) =>
  [
    label,
    `${formatPoundsAndPence(net)} + ${formatPoundsAndPence(vat)} VAT = ${formatPoundsAndPence(total)} a month`,
  ] as const

/** The tier costs something else from a renewal at least 30 days away. */
export function priceMoveMail({ firstName, tierName, before, after, on, billingUrl }: PriceMoveNotice): Message {
  const day = formatLongDate(on)
  return {
    subject: `Your price changes on ${day}`,
    heading: `${greeting(firstName)} the price of your membership changes on ${day}`,
    blocks: [
      paragraph(
        `From your payment on ${day}, ${tierName} costs ${formatPoundsAndPence(after.total)} a month with VAT.`,
      ),
      { kind: 'rows', rows: [priceRow('Until then', before), priceRow(`From ${day}`, after)] },
      paragraph(
        'Until that day everything stays as it is. There is nothing you need to do. If you have a discount, you keep it.',
      ),
      paragraph(
        `If you do not want to carry on at the new price, open Billing before ${day} and press Cancel membership: you keep your access to the end of what you have paid for, and nothing more is taken. You can also choose another tier there.`,
      ),
      { kind: 'button', label: 'Open Billing', url: billingUrl },
    ],
  }
}

type AccessEnded = { firstName: string | null; lastDay: string; returnUrl: string }

/** Access that the owners gave has ended, and nothing that is paid stands in its place. */
export const freeAccessEndedMail = ({ firstName, lastDay, returnUrl }: AccessEnded): Message => ({
  subject: 'Your free access has ended',
  heading: greeting(firstName),
  blocks: [
    paragraph(`Your free access to the videos and the community ended on ${formatLongDate(lastDay)}.`),
    paragraph('You do not have to do anything, and nothing is taken. We keep your account and your ticks.'),
    paragraph('If you want to carry on, you can become a member and start where you left off.'),
    { kind: 'button', label: 'Carry on as a member', url: returnUrl },
  ],
})
