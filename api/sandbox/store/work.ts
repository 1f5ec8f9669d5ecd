import type { Settings } from '#api/sandbox/store/settings.ts'
import type { Store } from '#api/sandbox/store/store.ts'

/** One request, or one due happening: all that its code may know of the world outside. */
export type Work = {
  store: Store
  /** Billing time in unix seconds. */
  now: number
  settings: Settings
  pagesUrl: string
  request: { id: string | null; idempotencyKey: string | null }
}
