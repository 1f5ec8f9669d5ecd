import { vi } from 'vitest'

/** A fault leaves many tests waiting for what never comes. The usual minute would be an hour in all. */
const { waitFor } = vi
vi.waitFor = (look) => waitFor(look, { timeout: 15_000, interval: 50 })
