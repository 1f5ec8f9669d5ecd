import * as v from 'valibot'
import { tabStorage } from '#pwa/lib/storage.ts'
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

export const keepDelayed = (kept: KeptDelayed) => tabStorage.setItem(key, JSON.stringify(kept))

export function readDelayed(): KeptDelayed | null {
  try {
    const read = v.safeParse(KeptDelayed, JSON.parse(tabStorage.getItem(key) ?? 'null'))
    return read.success ? read.output : null
  } catch {
    return null
  }
}
