/** What's counted while the site runs. Labels come from our own lists: nothing a visitor typed becomes one. */
export type Meter = {
  /** `route` is a pattern such as `/api/videos/:id`. */
  responded(response: { method: string; route: string; status: number; seconds: number }): void
  /** A call to Stripe: its status, or `none` if no answer came. */
  askedProvider(call: { status: number | 'none'; seconds: number }): void
  /** Changes from phones that weren't taken. */
  rejectedChanges(count: number): void
  slowQuery(): void
  /** A notice to a phone, by what its push service said. */
  pushed(outcome: string): void
}

/** Counts nothing, for when metrics are off. */
export const silentMeter: Meter = {
  responded() {},
  askedProvider() {},
  rejectedChanges() {},
  slowQuery() {},
  pushed() {},
}

/** Begins to time a call to Stripe. What it returns is called with the answer, or null if none came. */
export function timeProviderCall(meter: Meter): (answer: Response | null) => void {
  const from = performance.now()
  return (answer) =>
    meter.askedProvider({ status: answer?.status ?? 'none', seconds: (performance.now() - from) / 1000 })
}
