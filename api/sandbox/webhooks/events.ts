import type { Context } from '#api/sandbox/store/context.ts'
import { newId } from '#api/sandbox/store/ids.ts'
import type { StoredObject } from '#api/sandbox/store/objects.ts'
import { presentObject } from '#api/sandbox/store/present.ts'
import { insertObject, selectObjects } from '#api/sandbox/store/store.ts'

export const apiVersion = '2026-10-28.endive'

/** Null stands for the receiver the sandbox was started with, which gets every event. */
function receiversOf(ctx: Context, type: string): (string | null)[] {
  const endpoints = selectObjects(ctx.store, 'webhook_endpoint', {
    where: "status = 'enabled'",
    values: [],
    order: 'ASC',
    limit: -1,
  })
  const interested = endpoints.filter(({ enabled_events: events }) => events.includes('*') || events.includes(type))
  return [null, ...interested.map(({ id }) => id)]
}

function insertDeliveries(ctx: Context, event: string, receivers: (string | null)[]): void {
  const { copies } = ctx.settings.webhooks
  const insert = ctx.store.prepare('INSERT INTO deliveries (event_id, endpoint, next_at) VALUES (?, ?, ?)')
  for (const endpoint of receivers) {
    for (let copy = 0; copy < copies; copy += 1) insert.run(event, endpoint, Date.now())
  }
}

/** Saves the event and its deliveries in the transaction of the change it reports. With no copies there's nothing to tell. */
export function emitEvent(ctx: Context, type: string, object: object, previous?: Record<string, unknown>): void {
  if (ctx.settings.webhooks.copies === 0) return
  const receivers = receiversOf(ctx, type)
  const event = insertObject(ctx.store, {
    id: newId('evt'),
    object: 'event',
    api_version: apiVersion,
    created: ctx.now,
    data: {
      object: presentObject(ctx.store, object, []),
      ...(previous === undefined ? {} : { previous_attributes: previous }),
    },
    livemode: false,
    pending_webhooks: receivers.length,
    request: { id: ctx.request.id, idempotency_key: ctx.request.idempotencyKey },
    type,
  })
  insertDeliveries(ctx, event.id, receivers)
}

/** Emits an `…updated` event with the previous values, if anything visible has changed. */
export function emitChange(ctx: Context, type: string, before: StoredObject, after: StoredObject): void {
  if (ctx.settings.webhooks.copies === 0) return
  const now = presentObject(ctx.store, after, [])
  const previous = Object.fromEntries(
    Object.entries(presentObject(ctx.store, before, [])).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(now[name]),
    ),
  )
  if (Object.keys(previous).length > 0) emitEvent(ctx, type, after, previous)
}
