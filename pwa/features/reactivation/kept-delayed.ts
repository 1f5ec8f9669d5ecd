import * as v from 'valibot'
import { Day, Pence } from '#shared/contract/fields.ts'
import { TierSlug } from '#shared/contract/tier.ts'

/** In this tab only: what a set-up agreed to, for the page after it. The bank's page and PayPal's lie between the two. */
const key = 'delayed-billing'

const KeptDelayed = v.object({
  email: v.string(),
  tierSlug: TierSlug,
  tierName: v.string(),
  date: Day,
  isDue: v.boolean(),
  total: Pence,
  /** The link's own query, for another try. */
  link: v.string(),
  isDone: v.boolean(),
})
export type KeptDelayed = v.InferOutput<typeof KeptDelayed>

export function keepDelayed(kept: KeptDelayed): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(kept))
  } catch {
    // Without it the page after the set-up says less; nothing else is lost.
  }
}

export function readDelayed(): KeptDelayed | null {
  try {
    const read = v.safeParse(KeptDelayed, JSON.parse(sessionStorage.getItem(key) ?? 'null'))
    return read.success ? read.output : null
  } catch {
    return null
  }
}
