import * as v from 'valibot'
import { tabStorage } from '#pwa/lib/storage.ts'
import { Day, Pence } from '#shared/contract/fields.ts'
import { PricePeriod, TierSlug } from '#shared/contract/tier.ts'

/**
 * What the payer agreed to on a link's page, for the page that follows. It's stored in this tab, because the bank's page or
 * PayPal's may come between the two.
 */
const DelayedSetup = v.object({
  email: v.string(),
  tierSlug: TierSlug,
  tierName: v.string(),
  date: Day,
  isDue: v.boolean(),
  total: Pence,
  every: v.optional(PricePeriod, 'month'),
  /** The link's query, for another attempt. */
  link: v.string(),
  isDone: v.boolean(),
})
export type DelayedSetup = v.InferOutput<typeof DelayedSetup>

const setupKey = 'delayed-billing'

export const saveDelayedSetup = (setup: DelayedSetup) => tabStorage.setItem(setupKey, JSON.stringify(setup))

export function readDelayedSetup(): DelayedSetup | null {
  try {
    const read = v.safeParse(DelayedSetup, JSON.parse(tabStorage.getItem(setupKey) ?? 'null'))
    return read.success ? read.output : null
  } catch {
    return null
  }
}

const totalKey = 'reactivation-total'

/** Stores the pence they're about to pay, so that we also track a payment that ends on the bank's page. */
export const savePaymentTotal = (total: number) => tabStorage.setItem(totalKey, String(total))

/** Can be read only once; then it's null. */
export function takePaymentTotal(): number | null {
  const total = Number(tabStorage.getItem(totalKey))
  tabStorage.removeItem(totalKey)
  return Number.isSafeInteger(total) && total > 0 ? total : null
}
