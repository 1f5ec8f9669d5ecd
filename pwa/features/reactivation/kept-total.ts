/** In this tab only: what is about to be paid, in pence, so that a payment which the bank's page ends is counted too. */
const key = 'reactivation-total'

export function keepTotal(total: number): void {
  try {
    sessionStorage.setItem(key, String(total))
  } catch {
    // Only the counting of a purchase is lost.
  }
}

/** Once: null where nothing is kept, it was taken, or the browser keeps nothing for this site. */
export function takeTotal(): number | null {
  try {
    const kept = Number(sessionStorage.getItem(key))
    sessionStorage.removeItem(key)
    return Number.isSafeInteger(kept) && kept > 0 ? kept : null
  } catch {
    return null
  }
}
