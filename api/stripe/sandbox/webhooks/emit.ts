import { present } from '#api/stripe/sandbox/http/expand.ts'
import { newId } from '#api/stripe/sandbox/store/ids.ts'
import type { StoredObject } from '#api/stripe/sandbox/store/objects.ts'
import { insertObject } from '#api/stripe/sandbox/store/store.ts'
import type { Work } from '#api/stripe/sandbox/store/work.ts'

export const API_VERSION = '2026-10-28.endive'

/** Events of one customer are delivered one after another, unless shuffled; those of different customers at once. */
function laneOf(object: object): string {
  if ('customer' in object && typeof object.customer === 'string') return object.customer
  return 'id' in object ? String(object.id) : ''
}

/** Writes the event and its pending deliveries in the same transaction as its cause. */
export function emit(work: Work, type: string, object: object, previous?: Record<string, unknown>): void {
  const event = insertObject(work.store, {
    id: newId('evt'),
    object: 'event',
    api_version: API_VERSION,
    created: work.now,
    data: {
      object: present(work.store, object, []),
      ...(previous === undefined ? {} : { previous_attributes: previous }),
    },
    livemode: false,
    pending_webhooks: work.settings.webhooks.copies,
    request: { id: work.request.id, idempotency_key: work.request.idempotencyKey },
    type,
  })
  const insert = work.store.db.prepare('INSERT INTO deliveries (event_id, lane, next_at) VALUES (?, ?, ?)')
  const { copies, order } = work.settings.webhooks
  for (let copy = 0; copy < copies; copy += 1) {
    insert.run(event.id, order === 'shuffled' ? `${event.id} ${copy}` : laneOf(object), Date.now())
  }
}

/** An `…updated` event with what the changed fields were before; none when nothing that Stripe shows has changed. */
export function emitChange(work: Work, type: string, before: StoredObject, after: StoredObject): void {
  const now = present(work.store, after, [])
  const previous = Object.fromEntries(
    Object.entries(present(work.store, before, [])).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(now[name]),
    ),
  )
  if (Object.keys(previous).length > 0) emit(work, type, after, previous)
}
