import { readSettings, type Settings } from '#api/sandbox/store/settings.ts'
import { findObject, findPublic, type Store, untilWritable } from '#api/sandbox/store/store.ts'

export type Receiver = {
  url: () => string
  secret: string
  /** The clock the receiver checks signatures against. */
  now: () => Date
  deliver: (request: Request) => Promise<Response>
  log: (message: string, fields?: Record<string, unknown>) => void
}

export type Deliveries = {
  wake(): void
  settle(): Promise<void>
  stop(): Promise<void>
}

type Delivery = {
  seq: number
  event_id: string
  endpoint: string | null
  attempts: number
  next_at: number
}

/** Seconds of wall time between attempts. The last one repeats up to `maxAttempts`. */
const backOffSeconds = [1, 5, 30, 120, 600, 1800, 3600]
const maxAttempts = 20
const maxConcurrent = 16
const timeoutMs = 10_000
/** How long a delivery waits for others, so that there's something to shuffle. */
const gatherMs = 250

/** A shuffled order only depends on the seed. */
function orderBy({ order, seed }: Settings['webhooks']): string {
  if (order === 'shuffled') return `(seq + ${seed}) * 2654435761 % 1000003, seq`
  return order === 'reversed' ? 'seq DESC' : 'seq'
}

function nextDelivery(store: Store, underWay: Iterable<number>): Delivery | null {
  const { webhooks } = readSettings(store)
  if (webhooks.hold) return null
  return (
    store
      .prepare<unknown[], Delivery>(
        `SELECT * FROM deliveries WHERE next_at <= ? AND seq NOT IN (SELECT value FROM json_each(?)) ORDER BY ${orderBy(webhooks)} LIMIT 1`,
      )
      .get(Date.now(), JSON.stringify([...underWay])) ?? null
  )
}

type Target = Pick<Receiver, 'secret' | 'now' | 'deliver'> & { url: string }

/** Null for a deleted or disabled endpoint. */
function targetOf(store: Store, receiver: Receiver, { endpoint }: Delivery): Target | null {
  if (endpoint === null) return { ...receiver, url: receiver.url() }
  const found = findObject(store, 'webhook_endpoint', endpoint)
  if (found?.status !== 'enabled') return null
  return { url: found.url, secret: found.hidden.secret, now: () => new Date(), deliver: (request) => fetch(request) }
}

async function postEvent(store: Store, target: Target, delivery: Delivery): Promise<number> {
  const payload = JSON.stringify(findPublic(store, delivery.event_id), null, 2)
  const request = new Request(target.url, {
    method: 'POST',
    body: payload,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'User-Agent': 'Stripe/1.0 (sandbox)',
      'Stripe-Signature': signatureOf(payload, target.secret, Math.floor(target.now().getTime() / 1000)),
    },
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  })
  const response = await target.deliver(request)
  await response.arrayBuffer()
  return response.status
}

function recordAttempt(store: Store, delivery: Delivery, isDelivered: boolean): void {
  const attempts = delivery.attempts + 1
  if (isDelivered || attempts >= maxAttempts) {
    store.prepare('DELETE FROM deliveries WHERE seq = ?').run(delivery.seq)
    return
  }
  const seconds = backOffSeconds[Math.min(attempts, backOffSeconds.length) - 1] ?? 0
  store
    .prepare('UPDATE deliveries SET attempts = ?, next_at = ? WHERE seq = ?')
    .run(attempts, Date.now() + seconds * 1000, delivery.seq)
}

async function deliverOne(store: Store, receiver: Receiver, delivery: Delivery): Promise<boolean> {
  try {
    const target = targetOf(store, receiver, delivery)
    const status = target === null ? 200 : await postEvent(store, target, delivery)
    if (status >= 200 && status < 300) return true
    receiver.log('webhook refused', { event: delivery.event_id, status })
  } catch (error) {
    receiver.log('webhook not delivered', { event: delivery.event_id, reason: String(error) })
  }
  return false
}

export function makeAllDue(store: Store): void {
  store.prepare('UPDATE deliveries SET next_at = ?').run(Date.now())
}

export function pendingDeliveries(store: Store): { event: string; attempts: number; nextAt: string }[] {
  return store
    .prepare<[], Delivery>('SELECT * FROM deliveries ORDER BY seq')
    .all()
    .map((row) => ({ event: row.event_id, attempts: row.attempts, nextAt: new Date(row.next_at).toISOString() }))
}

type Pump = {
  store: Store
  receiver: Receiver
  underWay: Map<number, Promise<void>>
  /** Finished attempts by delivery, until the file accepts their outcome. */
  unrecorded: Map<number, { delivery: Delivery; isDelivered: boolean }>
  isStopped: boolean
  /** The file couldn't be used at the last try. Logged once. */
  isFailing: boolean
  timer: ReturnType<typeof setTimeout> | undefined
  gathering: ReturnType<typeof setTimeout> | undefined
}

function sleepUntilNext(pump: Pump): void {
  clearTimeout(pump.timer)
  if (readSettings(pump.store).webhooks.hold) return
  const row = pump.store
    .prepare<[number], { at: number | null }>('SELECT min(next_at) AS at FROM deliveries WHERE next_at > ?')
    .get(Date.now())
  if (row?.at) pump.timer = setTimeout(() => wakePump(pump), row.at - Date.now() + 1)
}

async function attemptDelivery(pump: Pump, delivery: Delivery): Promise<void> {
  const isDelivered = await deliverOne(pump.store, pump.receiver, delivery)
  // An unrecorded delivery would be sent again.
  await untilWritable(pump.store, Number.POSITIVE_INFINITY)
  pump.underWay.delete(delivery.seq)
  pump.unrecorded.set(delivery.seq, { delivery, isDelivered })
  startDue(pump)
}

/** Gathers shuffled deliveries first: sent straight away, those of consecutive requests would arrive in order. */
function wakePump(pump: Pump): void {
  withFile(pump, () => {
    if (readSettings(pump.store).webhooks.order !== 'shuffled') startDue(pump)
    else {
      pump.gathering ??= setTimeout(() => {
        pump.gathering = undefined
        startDue(pump)
      }, gatherMs)
    }
  })
}

/** Sends nothing while an outcome is unrecorded, because the next one couldn't be recorded either. */
function startDue(pump: Pump): void {
  withFile(pump, () => {
    for (const { delivery, isDelivered } of pump.unrecorded.values()) {
      recordAttempt(pump.store, delivery, isDelivered)
      pump.unrecorded.delete(delivery.seq)
    }
    while (pump.underWay.size < maxConcurrent) {
      const delivery = nextDelivery(pump.store, pump.underWay.keys())
      if (delivery === null) break
      pump.underWay.set(delivery.seq, attemptDelivery(pump, delivery))
    }
    sleepUntilNext(pump)
    pump.isFailing = false
  })
}

/** Callers are timers, where an uncaught error would end the process and the site. The heartbeat retries after a disk error. */
function withFile(pump: Pump, work: () => void): void {
  if (pump.isStopped) return
  try {
    work()
  } catch (error) {
    if (!pump.isFailing) pump.receiver.log('webhooks wait for the file', { reason: String(error) })
    pump.isFailing = true
  }
}

async function deliverAllDue(pump: Pump): Promise<void> {
  startDue(pump)
  while (pump.underWay.size > 0 && !pump.isStopped) await Promise.race(pump.underWay.values())
}

/** Deliveries in progress get half a second to finish. The rest stay pending until the next start. */
async function stopPump(pump: Pump): Promise<void> {
  pump.isStopped = true
  clearTimeout(pump.timer)
  clearTimeout(pump.gathering)
  await Promise.race([Promise.all(pump.underWay.values()), Bun.sleep(500)])
}

export function startDeliveries(store: Store, receiver: Receiver): Deliveries {
  const pump: Pump = {
    store,
    receiver,
    underWay: new Map(),
    unrecorded: new Map(),
    isStopped: false,
    isFailing: false,
    timer: undefined,
    gathering: undefined,
  }
  return { wake: () => wakePump(pump), settle: () => deliverAllDue(pump), stop: () => stopPump(pump) }
}

/** The `Stripe-Signature` header. `at` is wall time in unix seconds. */
function signatureOf(payload: string, secret: string, at: number): string {
  const digest = new Bun.CryptoHasher('sha256', secret).update(`${at}.${payload}`).digest('hex')
  return `t=${at},v1=${digest}`
}
