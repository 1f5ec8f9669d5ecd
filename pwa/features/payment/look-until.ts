type Looking<Found> = {
  look: () => Promise<Found>
  isEnough: (found: Found) => boolean
  /** How long before each look, in ms. */
  waits: readonly [number, ...number[]]
  /** Rejects when nobody waits any more, which ends the looking. */
  wait?: (ms: number) => Promise<void>
}

/** Looks until what is found is enough, or there are no more looks; gives what was found last. */
export async function lookUntil<Found>({ look, isEnough, waits, wait = pause }: Looking<Found>): Promise<Found> {
  const [first, ...later] = waits
  if (first > 0) await wait(first)
  let found = await look()
  for (const ms of later) {
    if (isEnough(found)) break
    await wait(ms)
    found = await look()
  }
  return found
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
