import type { TierGuess } from '#shared/contract/imports.ts'
import type { AdoptionNote, AdoptionRefusal } from '#shared/contract/subscription-link.ts'
import type { AdoptionFacts } from './adoption.ts'
import { adoptedCharge } from './adoption.ts'
import { formatLongDate, londonDay } from './london.ts'
import { formatPoundsAndPence } from './money.ts'
import { daysOfPeriod, monthsOfPeriod } from './mrr.ts'
import { everyPeriod } from './price-words.ts'

type Words = {
  /** Completes “sub_1…”. */
  says: string
  /** What an owner can do about it. */
  remedy: string
}

/** Why a subscription isn't adopted, for owners. `subscriptions link` says the same. */
export const refusalWords: Record<AdoptionRefusal, Words> = {
  ended: { says: 'has ended', remedy: 'If they’ve paid for longer, give them free access until then.' },
  deleted: { says: 'belongs to a customer you deleted in Stripe', remedy: 'Ask them to join here.' },
  never_paid: { says: 'was never paid for', remedy: 'Ask them to join here.' },
  no_card_for_trial: { says: 'is a trial without a card', remedy: 'Ask them to add a card, then read again.' },
  several_items: { says: 'has several items', remedy: 'Leave one item on it in Stripe, then read again.' },
  several_seats: { says: 'is for several seats', remedy: 'Set its quantity to 1 in Stripe, then read again.' },
  by_use: { says: 'is charged by use', remedy: 'Give it a fixed price in Stripe, then read again.' },
  currency: { says: 'isn’t in pounds', remedy: 'When it ends, ask them to join here.' },
  interval: { says: 'is charged by the day or week', remedy: 'Give it a monthly price in Stripe, then read again.' },
  other_tax: {
    says: 'adds a tax that isn’t 20% VAT',
    remedy: 'Set its tax rate to 20% VAT in Stripe, then read again.',
  },
  paused: { says: 'is paused', remedy: 'Resume it in Stripe, then read again.' },
  by_invoice: { says: 'is paid by an emailed invoice', remedy: 'Set it to charge a card in Stripe, then read again.' },
  bank_debit: {
    says: 'is paid by Direct Debit or another way that takes days',
    remedy: 'Ask them to pay by card, then read again.',
  },
  pays_others: { says: 'sends its money to another account', remedy: 'Stop that in Stripe, then read again.' },
  scheduled: { says: 'has a change booked in Stripe', remedy: 'Cancel its schedule in Stripe, then read again.' },
  change_waiting: { says: 'has a change that isn’t paid yet', remedy: 'Read again tomorrow.' },
  unknown_status: { says: 'has a status we don’t know', remedy: 'Update your site, then read again.' },
  no_tier: { says: 'has a price without a tier', remedy: 'Choose its tier, or say it’s no membership.' },
  not_a_tier: { says: 'isn’t a membership', remedy: 'It goes on in Stripe. You don’t need to do anything.' },
  no_address: { says: 'has no email address', remedy: 'Add one to the customer in Stripe, then read again.' },
  two_of_one: { says: 'is one of two the same person has', remedy: 'End one in Stripe, then read again.' },
  owner: { says: 'is an owner’s', remedy: 'Owners have access without one.' },
  has_membership: { says: 'belongs to someone with a membership here', remedy: 'End one of the two, then read again.' },
  not_theirs: { says: 'belongs to another account here', remedy: 'Check the address in Stripe.' },
}

export const noteWords: Record<AdoptionNote, string> = {
  past_due: 'past due: Stripe goes on trying the card',
  unpaid: 'unpaid: no access until they pay',
  ending: 'cancelled, and runs until it ends',
  trial: 'still in a trial',
  gross: 'VAT inside the price',
  not_monthly: 'paid by the year or quarter: a new tier starts at renewal',
  no_card: 'no card: the next payment will fail',
  discount: 'with a discount, which goes on',
  fee: 'the old program keeps a fee',
}

/** A tier that nobody chose. One guessed by the amount alone is often wrong. */
export const guessWords: Record<TierGuess, string> = {
  name: 'Our guess by its name',
  amount: 'Our guess by the price: check it',
}

/** “You keep £40.82 of £48.99.” Null if VAT comes on top, so the price is what's kept. */
export function keptText(facts: Pick<AdoptionFacts, 'price' | 'tax'>): string | null {
  if (facts.tax === 'on_top') return null
  const { charged, kept } = adoptedCharge(facts)
  return `You keep ${formatPoundsAndPence(kept)} of ${formatPoundsAndPence(charged)}.`
}

/** “sub_1 (£30.00 a month) is paused. Resume it in Stripe, then read again.” */
export function stayText(facts: Pick<AdoptionFacts, 'id' | 'price'>, reason: AdoptionRefusal): string {
  const { says, remedy } = refusalWords[reason]
  return `${facts.id} (${priceText(facts)}) ${says}. ${remedy}`
}

/** “£50.00 a month”, “£500.00 a year”, “£150.00 every 3 months”, “20.00 USD a month”. */
export function priceText({ price }: Pick<AdoptionFacts, 'price'>): string {
  if (price === null) return 'no price'
  if (price.amount === null) return 'by use'
  const amount =
    price.currency === 'gbp'
      ? formatPoundsAndPence(price.amount)
      : `${(price.amount / 100).toFixed(2)} ${price.currency.toUpperCase()}`
  return `${amount} ${everyPeriod({ months: monthsOfPeriod(price), days: daysOfPeriod(price) ?? undefined })}`
}

/** Which of Stripe's own emails to switch off, because no call reads or sets them. An owner ticks each. */
export const switchOffSteps = [
  'Settings, Customer emails: switch off successful payments and refunds.',
  'Settings, Subscriptions and emails: switch off failed payments and expiring cards.',
  'Settings, Subscriptions and emails: switch off upcoming renewals and finalised invoices.',
] as const

export const endText = (at: string) => formatLongDate(londonDay(new Date(at)))
