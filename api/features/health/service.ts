import type { Statement } from 'better-sqlite3'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { type Health, HealthWord } from '#shared/contract/health.ts'
import { overallHealth } from '#shared/rules/health.ts'

/** A row of `settings`; the moment is in its `updatedAt`. */
const key = 'heartbeat'

/** Three beats missed. */
const silenceMs = 3 * 60_000

/** What a beat finds out. Nothing is asked of the network: a provider that is away just now is set up all the same. */
const Beat = v.object({ payments: HealthWord, email: HealthWord, backup: HealthWord })
type Beat = v.InferOutput<typeof Beat>

const lookAround = ({ settings }: Context): Beat => ({
  payments: settings.stripe.secretKey === '' ? 'missing' : 'configured',
  email: settings.smtpUrl !== undefined || settings.isSandbox ? 'configured' : 'missing',
  backup: 'not set up',
})

/** Writes down that the server is alive, and how its parts are. */
export function recordHeartbeat(ctx: Context): Beat {
  const beat = lookAround(ctx)
  ctx.sqlite
    .prepare(
      `insert into settings (key, value, updatedAt) values (?, ?, ?)
       on conflict (key) do update set value = excluded.value, updatedAt = excluded.updatedAt`,
    )
    .run(key, JSON.stringify(beat), ctx.now().toISOString())
  return beat
}

type BeatRow = { value: string; updatedAt: string }

/** How the server is, as its last heartbeat wrote it: one row is read, however many pages ask. */
export function readHealth(ctx: Context): Health {
  const row = lastBeat(ctx)
  const now = ctx.now()
  const timestamp = row?.updatedAt ?? now.toISOString()
  const isAlive = row !== null && row !== undefined && now.getTime() - Date.parse(timestamp) <= silenceMs
  const { payments, email, backup } = beatOf(row?.value) ?? lookAround(ctx)
  const services: Health['services'] = {
    database: row === null ? 'missing' : 'connected',
    payments,
    email,
    jobs: isAlive ? 'alive' : 'missing',
    backup,
  }
  return { status: overallHealth(Object.values(services)), timestamp, services }
}

/** Null where there is none to be read: before the first beat, or where another version of the server wrote it. */
function beatOf(value = 'null'): Beat | null {
  try {
    const beat = v.safeParse(Beat, JSON.parse(value))
    return beat.success ? beat.output : null
  } catch {
    return null
  }
}

const kept = new WeakMap<Context, Statement<[string], BeatRow>>()

/** Undefined before the first beat; null where the database does not answer, which is what is being asked about. */
function lastBeat(ctx: Context): BeatRow | undefined | null {
  try {
    const statement = kept.get(ctx) ?? ctx.sqlite.prepare('select value, updatedAt from settings where key = ?')
    kept.set(ctx, statement)
    return statement.get(key)
  } catch {
    return null
  }
}
