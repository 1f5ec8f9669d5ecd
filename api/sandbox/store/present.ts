import { invalid } from '#api/sandbox/errors.ts'
import { findPublic, type Store, selectObjects } from './store.ts'

type Json = Record<string, unknown>

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Stripe includes the first ten entries of a nested list. */
const included = 10

function listOf(data: unknown[], url: string): Json {
  return { object: 'list', data: data.slice(0, included), has_more: data.length > included, url }
}

function relatedObjects(
  store: Store,
  kind: 'subscription' | 'invoice_payment' | 'refund',
  where: string,
  id: unknown,
): Json[] {
  const rows = selectObjects(store, kind, { where, values: [id], order: 'DESC', limit: included + 1 })
  return rows.map((row) => presentObject(store, row, []))
}

/** Fields Stripe only includes if the request expands them. */
const includableFields: Record<string, (store: Store, object: Json) => unknown> = {
  'invoice.confirmation_secret': (store, invoice) => {
    const [payment] = relatedObjects(store, 'invoice_payment', 'invoice = ?', invoice.id)
    const details = isRecord(payment?.payment) ? payment.payment : {}
    const intent = findPublic(store, String(details.payment_intent))
    return intent ? { client_secret: intent.client_secret, type: 'payment_intent' } : null
  },
  'invoice.payments': (store, invoice) =>
    listOf(relatedObjects(store, 'invoice_payment', 'invoice = ?', invoice.id), '/v1/invoice_payments'),
  'customer.subscriptions': (store, customer) => {
    const where = "customer = ? AND status NOT IN ('canceled', 'incomplete_expired')"
    return listOf(
      relatedObjects(store, 'subscription', where, customer.id),
      `/v1/customers/${customer.id}/subscriptions`,
    )
  },
  'customer.sources': (_store, customer) => listOf([], `/v1/customers/${customer.id}/sources`),
  'customer.tax_ids': (_store, customer) => listOf([], `/v1/customers/${customer.id}/tax_ids`),
  'charge.refunds': (store, charge) =>
    listOf(relatedObjects(store, 'refund', "data ->> '$.charge' = ?", charge.id), `/v1/charges/${charge.id}/refunds`),
}

function cannotExpand(path: string): Error {
  return invalid(`This property cannot be expanded (${path}).`, { param: 'expand' })
}

type Step = { path: string; segments: string[] }

function expandEntry(store: Store, entry: unknown, { path, segments }: Step): unknown {
  const found = typeof entry === 'string' ? findPublic(store, entry) : segments.length > 1 ? entry : null
  if (found === null) throw cannotExpand(path)
  return found
}

function expandField(store: Store, object: Json, step: Step): void {
  const [field = '', ...rest] = step.segments
  const include = includableFields[`${String(object.object)}.${field}`]
  if (include && object[field] === undefined) object[field] = include(store, object)
  const value = object[field]
  if (value === undefined) throw cannotExpand(step.path)
  if (typeof value === 'string') {
    const found = findPublic(store, value)
    if (found === null || value === object.id) throw cannotExpand(step.path)
    object[field] = found
  } else if (Array.isArray(value)) object[field] = value.map((entry) => expandEntry(store, entry, step))
  else if (rest.length === 0 && !include && value !== null && !isRecord(value)) throw cannotExpand(step.path)
  if (rest.length > 0) expandInto(store, object[field], { path: step.path, segments: rest })
}

function expandInto(store: Store, value: unknown, step: Step): void {
  if (Array.isArray(value)) for (const entry of value) expandInto(store, entry, step)
  else if (isRecord(value)) expandField(store, value, step)
}

export function presentObject(store: Store, object: object, paths: string[]): Json {
  const { hidden: _hidden, ...copy }: Json = JSON.parse(JSON.stringify(object))
  if (Array.isArray(copy.data)) copy.data = copy.data.map(withoutHidden)
  for (const path of paths) {
    const segments = path.split('.')
    if (segments.filter((segment) => segment !== 'data').length > 4) {
      throw invalid(`You cannot expand more than 4 levels of a property (${path}).`, { param: 'expand' })
    }
    expandInto(store, copy, { path, segments })
  }
  return truncateLists(copy)
}

const mostInside = 10

/** Like Stripe, only includes a nested list's first ten entries. The list's own path returns the rest. */
function truncateLists(object: Json): Json {
  for (const [field, value] of Object.entries(object)) {
    if (Array.isArray(value)) object[field] = value.map((entry) => (isRecord(entry) ? truncateLists(entry) : entry))
    if (!isRecord(value)) continue
    if (value.object === 'list' && Array.isArray(value.data) && value.data.length > mostInside) {
      Object.assign(value, { data: value.data.slice(0, mostInside), has_more: true })
    }
    truncateLists(value)
  }
  return object
}

function withoutHidden(value: unknown): unknown {
  if (!isRecord(value)) return value
  const { hidden: _hidden, ...copy } = value
  return copy
}
