import * as v from 'valibot'
import type { AdoptionNote, AdoptionRefusal } from '#shared/contract/subscription-link.ts'
import { TierSlug } from '#shared/contract/tier.ts'
import { vatWithin } from './charge.ts'
import { isLive } from './membership.ts'
import { type Pence, withVat } from './money.ts'
import { monthsOfPeriod, type RecurringPrice } from './mrr.ts'

/** How tax is worked out: nothing, within the price, 20% on top, or something we don't do. */
export type TaxSide = 'none' | 'inside' | 'on_top' | 'other'

export type PriceFacts = Pick<RecurringPrice, 'interval' | 'intervalCount'> & {
  id: string
  /** What Stripe calls it, for people. */
  name: string | null
  /** Pence of one period. Null if it depends on use. */
  amount: Pence | null
  currency: string
  /** The tier it was made for, if we made it. */
  ownTier: TierSlug | null
}

/** What decides whether a subscription somebody else sold can be ours. Times are ISO-8601. */
export type AdoptionFacts = {
  id: string
  customer: string
  email: string | null
  name: string | null
  isCustomerDeleted: boolean
  status: string
  /** False for a trial without a way to pay. */
  isSettled: boolean
  items: number
  quantity: number
  price: PriceFacts | null
  tax: TaxSide
  /** By Stripe's emailed invoices, not by charging a card. */
  isInvoiced: boolean
  isCollectionPaused: boolean
  hasSchedule: boolean
  hasPendingUpdate: boolean
  paysOthers: boolean
  /** Stripe's type, such as `card`, `link` or `bacs_debit`. Null if nothing is stored. */
  method: string | null
  /** The end of the period paid for. */
  paidUntil: string | null
  /** When it's set to end. Null if it renews. */
  endsAt: string | null
  /** The program that made it, by its name or id. Null if it was made by hand or by its own site. */
  application: string | null
  /** Per cent that the program keeps of each payment. */
  applicationFee: number | null
  hasDiscount: boolean
}

/** An owner's word on a price. `none` isn't a membership. */
export type TierChoice = TierSlug | 'none'

/** Methods that settle within seconds, which access and emails rely on. A wallet's card is a card. */
const quickMethods = ['card', 'link', 'paypal', 'cashapp', 'amazon_pay', 'revolut_pay']

const adoptableStatuses = ['active', 'trialing', 'past_due', 'unpaid']

type Check = (facts: AdoptionFacts) => boolean

const checks: [AdoptionRefusal, Check][] = [
  ['ended', ({ status }) => !isLive(status)],
  ['deleted', ({ isCustomerDeleted }) => isCustomerDeleted],
  ['never_paid', ({ status }) => status === 'incomplete'],
  ['several_items', ({ items }) => items !== 1],
  ['several_seats', ({ quantity }) => quantity !== 1],
  ['by_use', ({ price }) => price === null || price.amount === null],
  ['currency', ({ price }) => price?.currency !== 'gbp'],
  ['interval', ({ price }) => price?.interval !== 'month' && price?.interval !== 'year'],
  ['other_tax', ({ tax }) => tax === 'other'],
  ['paused', ({ status, isCollectionPaused }) => status === 'paused' || isCollectionPaused],
  ['by_invoice', ({ isInvoiced }) => isInvoiced],
  ['bank_debit', ({ method }) => method !== null && !quickMethods.includes(method)],
  ['no_card_for_trial', ({ status, isSettled }) => status === 'trialing' && !isSettled],
  ['pays_others', ({ paysOthers }) => paysOthers],
  ['scheduled', ({ hasSchedule }) => hasSchedule],
  ['change_waiting', ({ hasPendingUpdate }) => hasPendingUpdate],
  ['unknown_status', ({ status }) => !adoptableStatuses.includes(status)],
]

/**
 * Why we can't run this subscription from now on, as it is and without changing what's charged. Null if we can. Says nothing of
 * whose it is or of its tier.
 */
export const adoptionRefusal = (facts: AdoptionFacts): AdoptionRefusal | null =>
  checks.find(([, isRefused]) => isRefused(facts))?.[0] ?? null

export function adoptionNotesOf(facts: AdoptionFacts): AdoptionNote[] {
  const { status, price, tax, method, endsAt, applicationFee, hasDiscount } = facts
  const notes: [AdoptionNote, boolean][] = [
    ['past_due', status === 'past_due'],
    ['unpaid', status === 'unpaid'],
    ['no_card', method === null],
    ['ending', endsAt !== null],
    ['trial', status === 'trialing'],
    ['gross', tax !== 'on_top'],
    ['not_monthly', price !== null && monthsOfPeriod(price) !== 1],
    ['discount', hasDiscount],
    ['fee', applicationFee !== null && applicationFee > 0],
  ]
  return notes.flatMap(([note, holds]) => (holds ? [note] : []))
}

/** What one period brings in. `kept` is without VAT, which lies within a price that has no tax or includes it. */
export function adoptedCharge({ price, tax }: Pick<AdoptionFacts, 'price' | 'tax'>): { charged: Pence; kept: Pence } {
  const amount = price?.amount ?? 0
  if (tax === 'on_top') return { charged: withVat(amount).total, kept: amount }
  return { charged: amount, kept: amount - vatWithin(amount) }
}

/** Reads `price_1Example=standard`. Null if it isn't that. */
export function parseTierChoice(text: string): { price: string; tier: TierChoice } | null {
  const [, price = '', tier = ''] = /^([\w.-]+)=([\w-]+)$/.exec(text.trim()) ?? []
  return price === '' || !v.is(TierSlug, tier) ? null : { price, tier }
}
