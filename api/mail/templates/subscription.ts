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
    ? '. We won’t take any more payments, but we’ll keep trying your card for what you owe until then. After that we’ll write it off.'
    : ' and we won’t take another payment.'
  return {
    subject: `Your membership ends on ${day}`,
    heading: `${greeting(firstName)} your membership is cancelled`,
    blocks: [
      paragraph(stateLine),
      paragraph(
        `You cancelled your ${tierName} membership on ${formatLongDate(cancelledAt)}, ${londonClock(cancelledAt)}. It ends on ${day}${taken} There’s a copy of this email in the members’ area.`,
      ),
      paragraph('Changed your mind? Press Resume membership under Billing before then.'),
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
      paragraph(`We’ve undone your cancellation. Your ${tierName} membership carries on as before.`),
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
          ? `Your ${tierName} membership is paused. You keep your access.`
          : `While your ${tierName} membership is paused you can’t open the videos or the community. Your account, ticks and invoices are still here.`,
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
  unpaid: ', because your payment didn’t go through',
  other: '',
}

const brokenPromise = (until: string) =>
  `We told you you’d have access until ${formatLongDate(until)}, but it ended early. Sorry about that.`

/** The membership has ended. */
export function endedMail({ firstName, tierName, endedOn, cause, promisedUntil, returnUrl }: Ended): Message {
  const back: Block[] =
    returnUrl === null
      ? []
      : [
          paragraph('Your account, ticks and invoices are still here. Come back whenever you like.'),
          { kind: 'button', label: 'Start again', url: returnUrl },
        ]
  return {
    subject: 'Your membership has ended',
    heading: `${greeting(firstName)} your membership has ended`,
    blocks: [
      paragraph(`Your ${tierName} membership ended on ${formatLongDate(endedOn)}${endedBecause[cause]}.`),
      ...(promisedUntil === null ? [] : [paragraph(brokenPromise(promisedUntil))]),
      paragraph('We won’t take any more payments.'),
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
      ...(isFree ? [paragraph('That first month is free. You’ll pay from the month after.')] : []),
      paragraph('Nothing changes until then. There’s no charge for changing.'),
      billOf(change, monthlyLabels),
      paragraph('Changed your mind? Undo it under Billing before then.'),
      { kind: 'button', label: 'Open Billing', url: change.billingUrl },
    ],
  }
}

/** The change was undone before its day. Amounts are of the tier that stays. */
export function tierKeptMail(change: TierChange): Message {
  return {
    subject: `You stay on ${change.fromName}`,
    heading: `${greeting(change.firstName)} you’re staying on ${change.fromName}`,
    blocks: [
      paragraph(`We’ve cancelled the change to ${change.toName}. You stay on ${change.fromName}.`),
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
    heading: `${greeting(firstName)} your price changes on ${day}`,
    blocks: [
      paragraph(
        `From your payment on ${day}, ${tierName} costs ${formatPoundsAndPence(after.total)} a month with VAT.`,
      ),
      { kind: 'rows', rows: [priceRow('Until then', before), priceRow(`From ${day}`, after)] },
      paragraph('Nothing changes until then, and you don’t need to do anything. If you have a discount, you keep it.'),
      paragraph(
        `Don’t want to carry on at the new price? Open Billing before ${day} and press Cancel membership. You keep your access to the end of what you’ve paid for, and we won’t take another payment. You can also choose another tier there.`,
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
    paragraph('Your account and your ticks are still here if you’d like to come back.'),
    paragraph('Become a member and start where you left off.'),
    { kind: 'button', label: 'Carry on as a member', url: returnUrl },
  ],
})
