import { tabStorage } from '#pwa/lib/storage.ts'

/** In this tab only: what is about to be paid, in pence, so that a payment which the bank's page ends is counted too. */
const key = 'reactivation-total'

export const keepTotal = (total: number) => tabStorage.setItem(key, String(total))

/** Once: null where nothing is kept, or it was taken. */
export function takeTotal(): number | null {
  const kept = Number(tabStorage.getItem(key))
  tabStorage.removeItem(key)
  return Number.isSafeInteger(kept) && kept > 0 ? kept : null
}
