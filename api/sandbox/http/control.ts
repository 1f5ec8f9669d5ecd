import * as v from 'valibot'
import { moveBalance } from '#api/sandbox/billing/balances.ts'
import type { Engine } from '#api/sandbox/engine.ts'
import { getObject } from '#api/sandbox/store/context.ts'
import { newId } from '#api/sandbox/store/ids.ts'
import { readSettings, settingsSchema, writeSettings } from '#api/sandbox/store/settings.ts'
import { insertObject, saveObject } from '#api/sandbox/store/store.ts'
import { makeAllDue, pendingDeliveries } from '#api/sandbox/webhooks/deliveries.ts'
import { emitEvent } from '#api/sandbox/webhooks/events.ts'

const faultSchema = v.strictObject({
  /**
   * `lost` runs the request, then cuts the connection. `error` returns 500 without running it, `error_after` after running it.
   * `delay` waits `ms` before running it. `hang` doesn't run it or respond until the client gives up, `hang_after` runs it first.
   * `refuse` returns `status` (400) with `code`, `param` and `message` without running it. `date` runs it, and dates the response `ms` from
   * now, which may be negative.
   */
  kind: v.picklist(['lost', 'error', 'error_after', 'delay', 'hang', 'hang_after', 'refuse', 'date']),
  /** Applies to requests with this method and path prefix. The default is any API request. */
  method: v.optional(v.string()),
  path: v.optional(v.string(), '/v1/'),
  times: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 1),
  ms: v.optional(v.number(), 0),
  code: v.optional(v.picklist(['balance_insufficient', 'charge_disputed', 'idempotency_key_in_use'])),
  param: v.optional(v.string()),
  message: v.optional(v.string(), 'Refused by a fault that was set with the controls.'),
  status: v.optional(v.pipe(v.number(), v.integer(), v.minValue(400), v.maxValue(499)), 400),
})

export type Fault = v.InferOutput<typeof faultSchema>

export type Faults = { add(fault: Fault): void; clear(): void; take(method: string, path: string): Fault | null }

/** Failures tests have requested. Each is used up after its `times`. */
export function createFaults(): Faults {
  let waiting: Fault[] = []
  return {
    add(fault) {
      waiting.push(fault)
    },
    clear() {
      waiting = []
    },
    take(method, path) {
      const fault = waiting.find((each) => (each.method ?? method) === method && path.startsWith(each.path))
      if (fault === undefined) return null
      fault.times -= 1
      waiting = waiting.filter((each) => each.times > 0)
      return fault
    },
  }
}

export type ControlContext = { engine: Engine; faults: Faults }

const advanceSchema = v.strictObject({ to: v.pipe(v.string(), v.isoTimestamp()) })
const settingsChange = v.partial(
  v.strictObject({ ...settingsSchema.entries, webhooks: v.partial(settingsSchema.entries.webhooks) }),
)

type Control = (context: ControlContext, body: unknown) => Promise<unknown>

async function advanceTime({ engine }: ControlContext, body: unknown): Promise<unknown> {
  const { to } = v.parse(advanceSchema, body)
  await engine.advance(new Date(to))
  return { now: new Date(engine.context({ id: null, idempotencyKey: null }).now * 1000).toISOString() }
}

async function changeSettings({ engine }: ControlContext, body: unknown): Promise<unknown> {
  const change = v.parse(settingsChange, body)
  const old = readSettings(engine.store)
  writeSettings(
    engine.store,
    v.parse(settingsSchema, { ...old, ...change, webhooks: { ...old.webhooks, ...change.webhooks } }),
  )
  engine.deliveries.wake()
  return readSettings(engine.store)
}

async function injectFault(context: ControlContext, body: unknown): Promise<unknown> {
  context.faults.add(v.parse(faultSchema, body))
  return { ok: true }
}

async function clearFaults(context: ControlContext): Promise<unknown> {
  context.faults.clear()
  return { ok: true }
}

async function releaseHeld({ engine }: ControlContext): Promise<unknown> {
  const old = readSettings(engine.store)
  writeSettings(engine.store, { ...old, webhooks: { ...old.webhooks, hold: false } })
  makeAllDue(engine.store)
  await engine.deliveries.settle()
  return { pending: pendingDeliveries(engine.store) }
}

async function listDeliveries({ engine }: ControlContext): Promise<unknown> {
  return { pending: pendingDeliveries(engine.store) }
}

const disputeSchema = v.strictObject({
  charge: v.string(),
  outcome: v.optional(v.picklist(['won', 'lost'])),
})

/** The bank disputes a payment. With an `outcome` it decides straight away. Only shows the charge's own mark and the events. */
async function disputeCharge({ engine }: ControlContext, body: unknown): Promise<unknown> {
  const ctx = engine.context({ id: null, idempotencyKey: null })
  const { charge, outcome } = v.parse(disputeSchema, body)
  const disputed = saveObject(ctx.store, { ...getObject(ctx, 'charge', charge), disputed: true })
  const { amount, currency, payment_intent } = disputed
  const dispute = { id: `dp_${charge.slice(3)}`, object: 'dispute', amount, charge, currency, payment_intent }
  emitEvent(ctx, 'charge.dispute.created', { ...dispute, status: 'needs_response' })
  if (outcome !== undefined) emitEvent(ctx, 'charge.dispute.closed', { ...dispute, status: outcome })
  return disputed
}

const attemptsSchema = v.strictObject({ invoice: v.string(), times: v.pipe(v.number(), v.integer(), v.minValue(1)) })

/** Payments of an invoice that were given up, as Stripe keeps them beside the one that paid it. */
async function addGivenUpPayments({ engine }: ControlContext, body: unknown): Promise<unknown> {
  const ctx = engine.context({ id: null, idempotencyKey: null })
  const { invoice, times } = v.parse(attemptsSchema, body)
  const { amount_due, currency } = getObject(ctx, 'invoice', invoice)
  for (let left = times; left > 0; left -= 1) {
    insertObject(ctx.store, {
      id: newId('inpay'),
      object: 'invoice_payment',
      created: ctx.now,
      livemode: false,
      is_default: false,
      invoice,
      currency,
      amount_requested: amount_due,
      amount_paid: null,
      status: 'canceled',
      payment: { type: 'payment_intent', payment_intent: newId('pi') },
      status_transitions: { canceled_at: ctx.now, paid_at: null },
    })
  }
  return { times }
}

const balanceSchema = v.strictObject({
  customer: v.string(),
  amount: v.pipe(v.number(), v.integer()),
  type: v.picklist([
    'migration',
    'invoice_overpaid',
    'invoice_too_small',
    'invoice_too_large',
    'unspent_receiver_credit',
    'checkout_session_subscription_payment',
    'checkout_session_subscription_payment_canceled',
  ]),
})

/** Moves a customer's balance as only Stripe itself does. The API can make `adjustment`, `initial` and `credit_note`. */
async function changeBalance({ engine }: ControlContext, body: unknown): Promise<unknown> {
  const { customer, ...movement } = v.parse(balanceSchema, body)
  return moveBalance(engine.context({ id: null, idempotencyKey: null }), customer, movement)
}

const controls: Record<string, Control> = {
  'POST /_sandbox/payments': addGivenUpPayments,
  'POST /_sandbox/advance': advanceTime,
  'POST /_sandbox/settings': changeSettings,
  'POST /_sandbox/faults': injectFault,
  'DELETE /_sandbox/faults': clearFaults,
  'POST /_sandbox/webhooks/release': releaseHeld,
  'POST /_sandbox/disputes': disputeCharge,
  'POST /_sandbox/balance': changeBalance,
  'GET /_sandbox/webhooks': listDeliveries,
}

function json(status: number, body: unknown): Response {
  return Response.json(body, { status })
}

/** The sandbox's controls, which move time and break things for tests. Bodies are JSON. */
export async function handleControl(context: ControlContext, request: Request, path: string): Promise<Response> {
  const name = `${request.method} ${path}`
  const control = Object.hasOwn(controls, name) ? controls[name] : undefined
  if (control === undefined) return json(404, { error: { message: `No such control: ${name}` } })
  try {
    const text = await request.text()
    return json(200, await control(context, text === '' ? {} : JSON.parse(text)))
  } catch (error) {
    if (!(error instanceof v.ValiError) && !(error instanceof SyntaxError)) throw error
    return json(400, { error: { message: error.message } })
  }
}
