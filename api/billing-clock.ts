import type { Sqlite } from './db/open.ts'
import type { Settings } from './settings.ts'

const key = 'billing_clock_offset_ms'

/** How far the sandbox's billing clock is ahead of the wall, in ms: read from the database each time, so that a second process sees it. */
export function billingOffset(sqlite: Sqlite, settings: Settings): () => number {
  if (!settings.isSandbox) return () => 0
  const read = sqlite.prepare<[], { value: string }>(`select value from settings where key = '${key}'`)
  return () => Number(read.get()?.value ?? 0)
}

/** Moves the billing clock to `offsetMs` ahead of the wall; it never goes back. */
export function raiseBillingOffset(ctx: { sqlite: Sqlite; now(): Date }, offsetMs: number): void {
  ctx.sqlite
    .prepare(
      `insert into settings (key, value, updatedAt) values ('${key}', ?, ?)
       on conflict (key) do update set value = excluded.value, updatedAt = excluded.updatedAt
       where cast(excluded.value as integer) > cast(settings.value as integer)`,
    )
    .run(String(Math.max(0, Math.round(offsetMs))), ctx.now().toISOString())
}
