import * as v from 'valibot'
import { type Context, perContext } from '#api/context.ts'
import { isDamaged, recordIfDamage } from '#api/db/damage.ts'
import { checkWritable, isUnwritable } from '#api/db/storage.ts'
import { readSetting, writeSetting } from '#api/db/stored-settings.ts'
import { hashPassword } from '#api/features/accounts/login/password-service.ts'
import { noteClosedEarly } from '#api/features/earnings/revenue/clock-service.ts'
import { heartbeatKey, recordJump } from '#api/features/earnings/revenue/jump-service.ts'
import { noteProviderClock } from '#api/features/earnings/revenue/provider-clock-service.ts'
import { nightlyStatus } from '#api/features/operations/backup/jobs.ts'
import { type Health, HealthStatus, type IncidentPart } from '#shared/contract/health.ts'
import { overallHealth } from '#shared/rules/health.ts'
import { noteStorageTrouble, recordIncidents } from './history-service.ts'
import { readReportWatch } from './report-watch-queries.ts'

/** Three missed heartbeats. */
const silenceMs = 3 * 60_000

/** A heartbeat makes no request: a provider that's unreachable now still counts as set up. */
const Beat = v.object({ payments: HealthStatus, email: HealthStatus })
type Beat = v.InferOutput<typeof Beat>

const checkServices = ({ settings }: Context): Beat => ({
  payments: settings.stripe.secretKey === '' ? 'missing' : 'configured',
  email: settings.smtpUrl !== undefined || settings.isSandbox ? 'configured' : 'missing',
})

/** Records that the server is alive, which services are set up, and any sign of a wrong clock. */
export function recordHeartbeat(ctx: Context): Beat {
  checkWritable(ctx)
  noteStorageTrouble(ctx)
  const beat = checkServices(ctx)
  const silentSince = silenceBefore(ctx)
  noteProviderClock(ctx)
  recordJump(ctx)
  noteClosedEarly(ctx)
  writeSetting(ctx, heartbeatKey, beat)
  recordIncidents(ctx, { bad: troubles(ctx), silentSince })
  return beat
}

/** By the process's own clock, which nobody sets. */
const beatenAt = perContext(() => ({ ms: Number.NEGATIVE_INFINITY }))

/** The last heartbeat, if none came for too long since. If this process has been up all along, only the clock was set. */
function silenceBefore(ctx: Context): string | null {
  const last = lastBeat(ctx)?.updatedAt ?? null
  const beaten = beatenAt(ctx)
  const isSurelyUp = performance.now() - beaten.ms <= silenceMs
  beaten.ms = performance.now()
  return last !== null && !isSurelyUp && ctx.now().getTime() - Date.parse(last) > silenceMs ? last : null
}

function troubles(ctx: Context): Set<IncidentPart> {
  const { reports, backups, logins } = watchOf(ctx, true)
  const watched = Object.entries({ reports, backups, logins })
  return new Set(
    watched.flatMap(([part, status]) => (status === 'missing' || status === 'slow' ? [part as IncidentPart] : [])),
  )
}

/** Records that the server is alive, then times a password hash: slow logins would show nowhere else. */
export async function beat(ctx: Context): Promise<Beat & { hashMs: number }> {
  const services = recordHeartbeat(ctx)
  const beganAt = ctx.now().getTime()
  const { promise: enough, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, waitForHashMs)
  await Promise.race([hashPassword(heartbeatKey), enough])
  clearTimeout(timer)
  const hashMs = ctx.now().getTime() - beganAt
  writeSetting(ctx, hashTimesKey, [...hashTimes(ctx), hashMs].slice(-slowBeats))
  return { ...services, hashMs }
}

/** A row of `settings`: how long the last heartbeats' hashes took, in ms. */
const hashTimesKey = 'hash_times'
const slowMs = 5_000
const slowBeats = 3
/** Long enough to know it's slow. */
const waitForHashMs = 6_000

function hashTimes(ctx: Context): number[] {
  const times = v.safeParse(v.array(v.number()), readSetting(ctx, hashTimesKey)?.value)
  return times.success ? times.output : []
}

/** One slow hash may be a busy moment. Several in a row affect members. */
function areLoginsSlow(ctx: Context): boolean {
  const times = hashTimes(ctx)
  return times.length === slowBeats && times.every((ms) => ms > slowMs)
}

/** The health from the last heartbeat, and whether the disk accepts a write now. */
export function readHealth(ctx: Context): Health {
  checkWritable(ctx)
  const row = lastBeat(ctx)
  const now = ctx.now()
  const timestamp = row?.updatedAt ?? now.toISOString()
  const silentFor = now.getTime() - Date.parse(timestamp)
  // A heartbeat in the future predates a clock correction, and says nothing about now.
  const isAlive = row !== null && row !== undefined && silentFor >= 0 && silentFor <= silenceMs
  const { payments, email } = parseBeat(row?.value) ?? checkServices(ctx)
  const services: Health['services'] = {
    database: databaseStatus(ctx, row !== null),
    payments,
    email,
    jobs: isAlive ? 'alive' : 'missing',
    ...watchOf(ctx, row !== null),
  }
  return { status: overallHealth(Object.values(services)), timestamp, services }
}

/** Missed reports and backups show up here, where an external monitor looks. */
function watchOf(ctx: Context, isReadable: boolean): Pick<Health['services'], 'reports' | 'backups' | 'logins'> {
  if (!isReadable) return {}
  const [reports, backups] = [readReportWatch(ctx), nightlyStatus(ctx, ctx.now())]
  return {
    ...(reports === undefined ? {} : { reports }),
    ...(backups === undefined ? {} : { backups }),
    ...(areLoginsSlow(ctx) ? { logins: 'slow' } : {}),
  }
}

/** A server that can't write is ready all the same: members still read their videos. */
export const isReady = (ctx: Context): boolean => !isDamaged(ctx) && lastBeat(ctx) !== null

function databaseStatus(ctx: Context, isReadable: boolean): HealthStatus {
  if (isDamaged(ctx)) return 'damaged'
  if (!isReadable) return 'missing'
  return isUnwritable(ctx) ? 'unwritable' : 'connected'
}

/** Changes whenever `readHealth` does, apart from the time, so that caches know. Checks once a second at most. */
export function createHealthVersion(ctx: Context): () => string {
  let memo = { at: Number.NEGATIVE_INFINITY, version: '' }
  return () => {
    const at = ctx.now().getTime()
    if (Math.abs(at - memo.at) >= 1000) memo = { at, version: Object.values(readHealth(ctx).services).join() }
    return memo.version
  }
}

/** Null before the first heartbeat, or if another server version wrote it. */
function parseBeat(value: unknown): Beat | null {
  const beat = v.safeParse(Beat, value)
  return beat.success ? beat.output : null
}

/** Undefined before the first heartbeat; null if the database fails, which a health check must report rather than throw. */
function lastBeat(ctx: Context) {
  try {
    return readSetting(ctx, heartbeatKey)
  } catch (error) {
    recordIfDamage(ctx, error)
    return null
  }
}
