/** `aheadMs`: how far our clock was ahead of the provider's when it answered at `at`, by ours. */
type Heard = { aheadMs: number; at: string }

/** The last that was heard, by the database connection, which copies of a context share. */
const lastHeard = new WeakMap<object, Heard>()

/** More than a clock runs fast or slow by while an answer is waited for. */
const setMs = 60_000

/**
 * What hears the provider's time, which every answer of theirs carries, in seconds. To be called with each request. Where our clock
 * was set while the answer was on its way, that says nothing of either.
 */
export const listenForTime = (connection: object, now: () => Date) => () => {
  const [askedAt, from] = [now().getTime(), performance.now()]
  return ({ headers }: Response): void => {
    const date = Date.parse(headers.get('date') ?? '')
    const heardAt = now()
    const setBy = heardAt.getTime() - askedAt - (performance.now() - from)
    if (Number.isNaN(date) || Math.abs(setBy) > setMs) return
    lastHeard.set(connection, { aheadMs: heardAt.getTime() - date, at: heardAt.toISOString() })
  }
}

export const providerTimeHeard = (connection: object): Heard | null => lastHeard.get(connection) ?? null
