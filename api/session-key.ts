import { randomBytes } from 'node:crypto'
import type { Sqlite } from './db/open.ts'

/** Outside production the key may be left to us: made once, kept in the database, so that a restart logs nobody out. */
export function sessionKey(sqlite: Sqlite, now: () => Date): string {
  sqlite
    .prepare(
      `insert into settings (key, value, updatedAt) values ('session_secret', ?, ?) on conflict (key) do nothing`,
    )
    .run(JSON.stringify(randomBytes(32).toString('base64url')), now().toISOString())
  const row = sqlite.prepare<[], { value: string }>(`select value from settings where key = 'session_secret'`).get()
  return String(JSON.parse(row?.value ?? '""'))
}
