export type Coalesced<Ask, Result> = {
  /** Resolves with the run that began at or after this call. */
  ask(ask: Ask): Promise<Result>
  /** Resolves once nothing runs. */
  settled(): Promise<void>
}

/**
 * One run at a time. All that is asked meanwhile becomes one more run after it, since the run under way may already have
 * looked; `stronger` picks what that one is asked for.
 */
export function coalesce<Ask, Result>(
  run: (ask: Ask) => Promise<Result>,
  stronger: (one: Ask, other: Ask) => Ask,
): Coalesced<Ask, Result> {
  let running: Promise<Result> | null = null
  let next: { ask: Ask; result: Promise<Result> } | null = null
  const begin = (ask: Ask): Promise<Result> => {
    const started = run(ask).finally(() => {
      running = null
    })
    running = started
    return started
  }
  const follow = (wanted: Ask): Promise<Result> => {
    const chosen = next?.ask ?? wanted
    next = null
    return begin(chosen)
  }
  return {
    ask: (wanted) => {
      if (running === null) return begin(wanted)
      if (next === null) {
        const go = () => follow(wanted)
        next = { ask: wanted, result: running.then(go, go) }
      } else next.ask = stronger(next.ask, wanted)
      return next.result
    },
    settled: async () => {
      while (running !== null) await running.catch(() => {})
    },
  }
}
