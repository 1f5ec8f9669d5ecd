import { nextPaymentDay, openInvoiceLabel } from '#pwa/features/billing/billing-texts.ts'
import type { BillingSubscription, NextPayment, NextPaymentPreview, Plan } from '#shared/contract/billing.ts'
import type { PricePeriod } from '#shared/contract/tier.ts'
import type { UpgradePreview } from '#shared/contract/upgrade.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { methodLabel } from '#shared/rules/payment-method.ts'
import {
  dueOf,
  dueText,
  lastPaymentText,
  nextText,
  priceText,
  toPayText,
  untakenText,
  waitingText,
} from '#shared/rules/payment-words.ts'
import { type Period, periodWord } from '#shared/rules/price-words.ts'
import { everyOfPeriod } from '#shared/rules/tier-prices.ts'

/** A sentence, or what happens when, for a short list. */
export type Said = string | { when: string; what: string }

/** `known`: what Stripe says it would still take. Until it has said so nothing is promised. */
export function cancelTexts(billing: BillingSubscription, known?: NextPaymentPreview): string[] {
  const day = nextPaymentDay(billing)
  const last = (none?: string) => lastTexts(known, none)
  switch (billing.status) {
    case 'active':
      return [
        ...(billing.isRevoked
          ? []
          : [day ? `You keep your access until ${formatLongDate(day)}.` : accessToEnd(billing)]),
        [...last(), `Your membership ends with the ${periodOf(billing)} you’ve paid for.`].join(' '),
        ...droppedTierChangeTexts(billing),
        'You can change your mind until then.',
      ]
    case 'trialing':
      return [
        day
          ? `Your membership ends on ${formatLongDate(day)}, before its first payment.`
          : 'It ends before its first payment.',
        ...droppedTierChangeTexts(billing),
        [...last('You won’t be charged'), 'You can change your mind until then.'].join(' '),
      ]
    case 'past_due':
      return [
        [
          day
            ? `Your membership ends on ${formatLongDate(day)}.`
            : `Your membership ends with the ${periodOf(billing)} you owe for.`,
          ...last('We won’t take a new payment'),
        ].join(' '),
        `We may still collect ${openInvoiceLabel(billing)} until then. After that we’ll write it off.`,
      ]
    case 'incomplete':
      return ['We’ll cancel the unfinished payment. You haven’t been charged, and you won’t be.']
    default:
      return ['Your membership ends straight away. You won’t be charged again.', 'You can start a new one anytime.']
  }
}

export function cancelledText({
  endsOn,
  openInvoice,
  nextPayment: next,
  waitingStart: then,
}: BillingSubscription): string {
  if (endsOn === null) return then === undefined ? 'You won’t be charged again.' : waitingText(then)
  const owed = openInvoice ? 'We may still collect what you owe' : undefined
  const until = ` It ends on ${formatLongDate(endsOn)}.`
  if (next === undefined && then === undefined)
    return `${owed ? `${owed}, but nothing more.` : 'You won’t be charged again.'}${until}`
  const last = lastPaymentText(next, { none: 'You won’t be charged again', then })
  return `${owed ? `${owed}.` : ''}${until} ${last}`.trim()
}

function lastTexts(known: NextPaymentPreview | undefined, none?: string): string[] {
  if (known === undefined) return []
  const { nextPayment: next, waitingStart: then } = known
  const words = { when: next ? `on ${formatLongDate(next.on)}` : '', then, ...(none === undefined ? {} : { none }) }
  return [lastPaymentText(next, words)]
}

/** Cancelling also drops a booked change, and resuming the membership doesn't bring it back. Nobody chose a new price of their tier. */
function droppedTierChangeTexts({ nextPlan, plan }: BillingSubscription): string[] {
  if (nextPlan === null) return []
  if (nextPlan.slug !== plan?.slug) return [`We’ll cancel your change to ${nextPlan.name}.`]
  const [now, then] = [periodWord(plan), periodWord(nextPlan)]
  return now === then ? [] : [`We’ll cancel your change to paying by the ${then}.`]
}

const periodOf = ({ plan }: BillingSubscription) => periodWord(plan ?? {})

const accessToEnd = (billing: BillingSubscription) =>
  `You keep your access until the end of the ${periodOf(billing)} you’ve paid for.`

export const endTexts = [
  'Your membership ends straight away and we’ll write off what you owe.',
  'Then you pick a tier and start a new membership. You’re only charged when you pay for that.',
]

/** `next` is what Stripe says it would take. Without its word nothing is promised. */
export function resumeTexts(billing: BillingSubscription, next: NextPayment | null): Said[] {
  if (billing.status === 'paused') {
    if (next === null)
      return ['Your membership carries on.', `You pay for a new ${periodOf(billing)} in the next step.`]
    const what = next.due > 0 ? `You pay ${dueText(next)}, in the next step` : takenText(next, billing.plan)
    return ['Your membership carries on.', { when: 'Now', what }]
  }
  const carriesOn = 'Your membership carries on. You won’t be charged today.'
  if (next === null) return [carriesOn]
  return [
    carriesOn,
    { when: onDayText(next.on), what: takenText(next, billing.plan) },
    ...afterTexts(next, 'The same, until you cancel'),
  ]
}

function takenText(next: NextPayment, plan: Plan | null): string {
  if (next.due > 0) return `We’ll take ${dueText(next)}`
  return untakenText(next, { ...untaken, free: `You pay nothing: that ${periodWord(plan ?? {})} is free` })
}

const untaken = { credit: 'Your credit pays for it', none: 'Nothing to pay' }

const afterTexts = (next: NextPayment, what: string): Said[] =>
  repeatOf(next).map((every) => ({ when: `Every ${every} after`, what }))

/** The period whose payments are all the same from then on, if they are. */
const repeatOf = ({ isEveryMonth, isEveryYear }: NextPayment): PricePeriod[] =>
  isEveryMonth ? ['month'] : isEveryYear ? ['year'] : []

export const resumedTexts = ({ openInvoice }: BillingSubscription): [title: string, text: string] =>
  openInvoice === null
    ? ['Membership resumed', 'You’re carrying on as before.']
    : ['One step to go', `Pay ${formatPoundsAndPence(dueOf(openInvoice))} and your membership starts up again.`]

/** A tier at a price that they may change to. */
type Chosen = { name: string; every: PricePeriod }

type Named = { name: string; every: PricePeriod | undefined }

const byPeriod = (name: string, every: PricePeriod | undefined) => (every ? `${name} by the ${every}` : name)

/** Alliance by the year. */
export const planName = ({ name, ...period }: { name: string } & Period) => byPeriod(name, everyOfPeriod(period))

/** What they have and what they’d have, each with its period where that’s another one. */
export function changeNames({ plan }: Pick<BillingSubscription, 'plan'>, { name, every }: Named) {
  if (plan === null || everyOfPeriod(plan) === every) return { from: plan?.name, to: name }
  return { from: planName(plan), to: byPeriod(name, every) }
}

export function tierChangeTexts(billing: BillingSubscription, chosen: Chosen, next: NextPayment | null): Said[] {
  const { from, to } = changeNames(billing, chosen)
  const day = next?.on ?? nextPaymentDay(billing)
  const until = day === null ? 'Until your next payment' : `Until ${formatLongDate(day)}`
  return [
    'You won’t be charged today.',
    ...(from ? [{ when: until, what: `You keep ${from}` }] : []),
    { when: onDayText(day), what: startText(to, chosen.every, next) },
    ...(next === null ? [] : afterTexts(next, 'The same')),
    'You can undo this until then, and cancel anytime.',
  ]
}

function startText(name: string, every: PricePeriod, next: NextPayment | null): string {
  if (next === null) return `${name} starts`
  if (next.due > 0) return `We’ll take ${dueText(next)} for ${name}`
  return `${name} starts. ${untakenText(next, { ...untaken, free: `The first ${every} is free` })}`
}

export function upgradeTexts(billing: BillingSubscription, every: PricePeriod, preview: UpgradePreview): string[] {
  const { charge, credit, nextBill, card, ...today } = preview
  const { from = preview.from.name, to } = changeNames(billing, { ...preview.to, every })
  const day = formatLongDate(nextBill.on)
  const toPay = toPayText(today)
  const method = methodLabel(card)
  const taken =
    today.due > 0
      ? `We’ll take ${formatPoundsAndPence(today.due)} from ${method} now. ${to} starts as soon as it’s paid.`
      : `Your credit pays for it, ${formatPoundsAndPence(today.fromCredit)}. We won’t charge ${method}. ${to} starts straight away.`
  const [repeat] = repeatOf(nextBill)
  const next = repeat
    ? `On ${day} we’ll take ${priceText(nextBill)}, then the same every ${repeat}.`
    : nextText(nextBill)
  return [
    `${formatPoundsAndPence(charge.total)} for ${to} until ${day}, less the ${formatPoundsAndPence(credit.total)} left of what you’ve paid for ${from}.`,
    ...(toPay && today.due > 0 ? [toPay] : []),
    taken,
    `${next} You can cancel anytime.`,
  ]
}

const onDayText = (day: string | null) => (day === null ? 'With your next payment' : `On ${formatLongDate(day)}`)
