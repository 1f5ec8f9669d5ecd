import * as v from 'valibot'
import type { Store } from './store.ts'

export const settingsSchema = v.object({
  /** Days after a renewal's first failure on which to retry its payment. */
  retryDays: v.array(v.pipe(v.number(), v.minValue(0))),
  /** A subscription's status after its last retry failed. */
  afterRetries: v.picklist(['unpaid', 'canceled', 'past_due']),
  /** How long a renewal invoice stays a draft. At Stripe it's about 60 minutes. */
  draftMinutes: v.pipe(v.number(), v.minValue(0)),
  webhooks: v.object({
    copies: v.pipe(v.number(), v.integer(), v.minValue(0)),
    order: v.picklist(['sent', 'reversed', 'shuffled']),
    /** The same seed gives the same order. */
    seed: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000)),
    hold: v.boolean(),
  }),
})

export type Settings = v.InferOutput<typeof settingsSchema>

const defaults: Settings = {
  retryDays: [3, 7, 14],
  afterRetries: 'unpaid',
  draftMinutes: 0,
  webhooks: { copies: 1, order: 'sent', seed: 0, hold: false },
}

export function readSettings(store: Store): Settings {
  const row = store.prepare<[], { value: string }>("SELECT value FROM settings WHERE name = 'settings'").get()
  if (row === undefined) return defaults
  if (row.value !== last.value) last = { value: row.value, settings: parseSettings(row.value) }
  return last.settings
}

/** Every request, timer and delivery reads them. */
let last = { value: '', settings: defaults }

function parseSettings(value: string): Settings {
  const stored = JSON.parse(value)
  return v.parse(settingsSchema, { ...defaults, ...stored, webhooks: { ...defaults.webhooks, ...stored.webhooks } })
}

export function writeSettings(store: Store, settings: Settings): void {
  store
    .prepare(
      "INSERT INTO settings (name, value) VALUES ('settings', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    )
    .run(JSON.stringify(settings))
}
