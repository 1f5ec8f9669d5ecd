/** What the payment provider adds to the address of the page it comes back to. */
export type ReturnSearch = { payment_intent?: string; setup_intent?: string; redirect_status?: string }

const names = ['payment_intent', 'setup_intent', 'redirect_status'] as const

export function readReturnSearch(search: Record<string, unknown>): ReturnSearch {
  const read: ReturnSearch = {}
  for (const name of names) {
    const value = search[name]
    if (typeof value === 'string' && value !== '') read[name] = value
  }
  return read
}
