import type { NextPayment, WaitingMembership } from '#shared/contract/billing.ts'
import type { PeriodPrice } from '#shared/rules/charge.ts'
import { formatLongDate, formatMoment } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { lastPaymentText, nextText, waitingText } from '#shared/rules/payment-words.ts'
import { everyPeriod, type Period, periodWord } from '#shared/rules/price-words.ts'
import { type Bill, type Block, billOf, greeting, labelsEvery, type Message, paragraph } from './layout.ts'

type Membership = { firstName: string | null; tierName: string }

/** Cancelled: no more charges, and access ends on a day. */
export function endingMail({
  firstName,
  tierName,
  endsOn,
  cancelledAt,
  isOwing,
  triesCard,
  takesMore,
  last,
  waitingStart: then,
  stateLine,
  billingUrl,
}: Ending): Message {
  const day = formatLongDate(endsOn)
  const owed = triesCard ? 'we’ll keep trying your card for what you owe' : 'you can pay what you owe'
  const taken = isOwing
    ? `. ${last === null && then === undefined ? `We won’t take any more payments, but ${owed} until then` : `${lastPaymentText(last, { then })} Until then ${owed}`}. After that we’ll write it off.`
    : takesMore || last !== null || then !== undefined
      ? '.'
      : ' and we won’t take another payment.'
  return {
    subject: `Your membership ends on ${day}`,
    heading: `${greeting(firstName)} your membership is cancelled`,
    blocks: [
      paragraph(stateLine),
      paragraph(
        `You cancelled your ${tierName} membership on ${formatMoment(cancelledAt)}. It ends on ${day}${taken} There’s a copy of this email in the members’ area.`,
      ),
      ...(then === undefined
        ? [paragraph('Changed your mind? Press Resume membership under Billing before then.')]
        : []),
      { kind: 'button', label: 'Open Billing', url: billingUrl },
    ],
  }
}

export type Ending = Membership & {
  endsOn: string
  cancelledAt: string
  /** A renewal failed. */
  isOwing: boolean
  /** Stripe keeps retrying until the end: it hasn't given up, and a card is saved. */
  triesCard: boolean
  /** Owners set an end beyond what's paid, so payments go on until then. */
  takesMore: boolean
  /** What's collected at the end. The state line says it, but where something is owed already. */
  last: NextPayment | null
  /** Begins after it, so it can’t be resumed. */
  waitingStart?: WaitingMembership | undefined
  /** What is paid or due, and how long access lasts. */
  stateLine: string
  billingUrl: string
}

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
  /** What resuming costs, in pence with VAT. Null if Stripe doesn't say. */
  total: number | null
  /** What it pays for. */
  period: Period
  /** They keep access for another reason, such as free access. The state line says so. */
  keepsAccess: boolean
  resumeUrl: string
}

/** The owners paused the membership, or Stripe did, because there was no card to charge when a payment was due. */
export function pausedMail({ firstName, tierName, stateLine, total, period, keepsAccess, resumeUrl }: Paused): Message {
  return {
    subject: 'Your membership is paused',
    heading: `${greeting(firstName)} your membership is paused`,
    blocks: [
      paragraph(stateLine),
      ...(keepsAccess
        ? []
        : [
            paragraph(
              `While your ${tierName} membership is paused you can’t open the videos or the community. Your account, ticks and invoices are still here.`,
            ),
          ]),
      paragraph(
        `To carry on, press Resume membership${resumingCosts(total, period)}.${keepsAccess ? '' : ' Your access comes straight back.'}`,
      ),
      { kind: 'button', label: 'Resume membership', url: resumeUrl },
    ],
  }
}

function resumingCosts(total: number | null, period: Period): string {
  if (total === 0) return ': there’s nothing to pay'
  return ` and pay for your next ${periodWord(period)}${total === null ? '' : `, ${formatPoundsAndPence(total)} with VAT`}`
}

export type Ended = Membership & {
  endedOn: string
  /** `asked`: cancelled by the member. `unpaid`: a payment failed. */
  cause: 'asked' | 'unpaid' | 'other'
  /** The end of access promised in an earlier email. Null if we kept the promise or made none. */
  promisedUntil: string | null
  /** Pence with VAT that Stripe still collects: what waited for the end. */
  lastDue: number
  waitingStart?: WaitingMembership | undefined
  /** Null if they still have access, or may not buy again. */
  returnUrl: string | null
}

const endedBecause = {
  asked: ', as you asked',
  unpaid: ', because your payment didn’t go through',
  other: '',
}

const brokenPromise = (until: string) =>
  `We told you you’d have access until ${formatLongDate(until)}, but it ended early. Sorry about that.`

export function endedMail({
  firstName,
  tierName,
  endedOn,
  cause,
  promisedUntil,
  lastDue,
  waitingStart,
  returnUrl,
}: Ended): Message {
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
      paragraph(
        lastDue === 0
          ? waitingStart === undefined
            ? 'We won’t take any more payments.'
            : waitingText(waitingStart)
          : `We’ll take one last payment of ${formatPoundsAndPence(lastDue)} for what was still to pay.`,
      ),
      ...back,
    ],
  }
}

export type TierChange = Bill & {
  firstName: string | null
  fromName: string
  toName: string
  /** A day, or an instant of the billing clock. */
  on: string
  isFirstFree?: boolean
  /** The first payment at the new tier, if we know it: a discount or credit may make it another sum. */
  next?: NextPayment | null
  billingUrl: string
}

/** A tier change at the next payment. Amounts are for the new tier. */
export function tierChangeMail(change: TierChange): Message {
  const day = formatLongDate(change.on)
  const isFree = change.isFirstFree === true
  return {
    subject: `${change.toName} from ${day}`,
    heading: `${greeting(change.firstName)} your membership changes on ${day}`,
    blocks: [
      paragraph(
        `You’ll move from ${change.fromName} to ${change.toName} on ${day}${isFree ? '' : ', with your next payment'}.`,
      ),
      ...(isFree
        ? [paragraph(`That first ${periodWord(change)} is free. You’ll pay from the ${periodWord(change)} after.`)]
        : []),
      paragraph('Nothing changes until then. There’s no charge for changing.'),
      billOf(change, labelsEvery(change)),
      ...nextBlocks(change),
      paragraph('Changed your mind? Undo it under Billing before then.'),
      { kind: 'button', label: 'Open Billing', url: change.billingUrl },
    ],
  }
}

const nextBlocks = ({ next = null, total, isFirstFree = false, ...change }: TierChange): Block[] =>
  next === null || next.due === total || isFirstFree
    ? []
    : [{ kind: 'rows', rows: [['Next payment', nextText(next, 'Your', change)]] }]

/** The change was undone before it took effect. Amounts are for the tier they keep. */
export function tierKeptMail(change: TierChange): Message {
  return {
    subject: `You stay on ${change.fromName}`,
    heading: `${greeting(change.firstName)} you’re staying on ${change.fromName}`,
    blocks: [
      paragraph(`We’ve cancelled the change to ${change.toName}. You stay on ${change.fromName}.`),
      billOf(change, labelsEvery(change)),
      { kind: 'rows', rows: [['Next payment', formatLongDate(change.on)]] },
      { kind: 'button', label: 'Open Billing', url: change.billingUrl },
    ],
  }
}

export type PriceMoveNotice = {
  firstName: string | null
  tierName: string
  before: PeriodPrice
  after: PeriodPrice
  /** The first renewal at the new price: a day, or an instant of the billing clock. */
  on: string
  billingUrl: string
}

const priceRow = (label: string, { net, vat, total, ...period }: PeriodPrice) =>
  [
    label,
    `${formatPoundsAndPence(net)} + ${formatPoundsAndPence(vat)} VAT = ${formatPoundsAndPence(total)} ${everyPeriod(period)}`,
  ] as const

/** The tier's price changes from a renewal at least 30 days away. */
export function priceMoveMail({ firstName, tierName, before, after, on, billingUrl }: PriceMoveNotice): Message {
  const day = formatLongDate(on)
  return {
    subject: `Your price changes on ${day}`,
    heading: `${greeting(firstName)} your price changes on ${day}`,
    blocks: [
      paragraph(
        `From your payment on ${day}, ${tierName} costs ${formatPoundsAndPence(after.total)} ${everyPeriod(after)} with VAT.`,
      ),
      { kind: 'rows', rows: [priceRow('Until then', before), priceRow(`From ${day}`, after)] },
      paragraph('Nothing changes until then, and you don’t need to do anything. If you have a discount, you keep it.'),
      paragraph(
        `Don’t want to carry on at the new price? Open Billing before ${day} and press Cancel membership. You keep your access to the end of what you’ve paid for, and we won’t take the next payment. You can also choose another tier there.`,
      ),
      { kind: 'button', label: 'Open Billing', url: billingUrl },
    ],
  }
}

type AccessEnded = { firstName: string | null; lastDay: string; returnUrl: string }

/** Access the owners gave has ended, and there's no paid membership. */
export const freeAccessEndedMail = ({ firstName, lastDay, returnUrl }: AccessEnded): Message => ({
  subject: 'Your free access has ended',
  heading: `${greeting(firstName)} your free access has ended`,
  blocks: [
    paragraph(`Your free access to the videos and the community ended on ${formatLongDate(lastDay)}.`),
    paragraph('Your account and your ticks are still here if you’d like to come back.'),
    paragraph('Become a member and start where you left off.'),
    { kind: 'button', label: 'Carry on as a member', url: returnUrl },
  ],
})
