/** `aheadMs`: how far our clock was ahead of the provider's when it answered at `at`, by ours. */
type Heard = { aheadMs: number; at: string }

/** The last that was heard, by the database connection, which copies of a context share. */
const lastHeard = new WeakMap<object, Heard>()

/** What hears the provider's time, which every answer of theirs carries, in seconds. */
export const listenForTime =
  (connection: object, now: () => Date) =>
  ({ headers }: Response): void => {
    const date = Date.parse(headers.get('date') ?? '')
    if (Number.isNaN(date)) return
    const heardAt = now()
    lastHeard.set(connection, { aheadMs: heardAt.getTime() - date, at: heardAt.toISOString() })
  }

export const providerTimeHeard = (connection: object): Heard | null => lastHeard.get(connection) ?? null
