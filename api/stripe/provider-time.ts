/** `aheadMs`: how far our clock was ahead of Stripe's at `at`, by ours. */
type Heard = { aheadMs: number; at: string }

/** The latest reading, by database connection, which a context's copies share. */
const lastHeard = new WeakMap<object, Heard>()

/** More than a clock drifts during a request, so it must have been set. */
const setMs = 60_000

/** Reads Stripe's clock from each response. If our clock was set during the request, the response tells us nothing. */
export const listenForTime = (connection: object, now: () => Date) => () => {
  const [askedAt, from] = [now().getTime(), performance.now()]
  return (answer: Response | null): void => {
    if (answer === null) return
    const date = Date.parse(answer.headers.get('date') ?? '')
    const heardAt = now()
    const setBy = heardAt.getTime() - askedAt - (performance.now() - from)
    if (Number.isNaN(date) || Math.abs(setBy) > setMs) return
    lastHeard.set(connection, { aheadMs: heardAt.getTime() - date, at: heardAt.toISOString() })
  }
}

export const providerTimeHeard = (connection: object): Heard | null => lastHeard.get(connection) ?? null
