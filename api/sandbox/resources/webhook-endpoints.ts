import * as v from 'valibot'
import { mergeMetadata } from '#api/sandbox/billing/metadata.ts'
import { invalid } from '#api/sandbox/errors.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import { newId } from '#api/sandbox/store/ids.ts'
import { listPage } from '#api/sandbox/store/lists.ts'
import type { SandboxEvent, WebhookEndpoint } from '#api/sandbox/store/objects.ts'
import { insertObject, markDeleted, saveObject } from '#api/sandbox/store/store.ts'
import { apiVersion } from '#api/sandbox/webhooks/events.ts'
import { clearableText, flag, ignored, metadata, paging, range, text } from './params.ts'
import { type Route, route } from './route.ts'

const url = v.pipe(text, v.regex(/^https?:\/\//, 'Not a valid URL'))
const events = v.pipe(v.array(v.pipe(text, v.regex(/^(\*|[a-z_]+(\.[a-z_]+)+)$/))), v.minLength(1))

const creation = {
  api_version: v.optional(v.literal(apiVersion)),
  connect: ignored,
  description: v.optional(clearableText),
  enabled_events: events,
  metadata,
  url,
}

const creationSchema = v.strictObject(creation)

/** Only this response shows the secret, as at Stripe. */
function create(ctx: Context, params: v.InferOutput<typeof creationSchema>): object {
  const secret = `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('base64url')}`
  const endpoint: WebhookEndpoint = insertObject(ctx.store, {
    id: newId('we'),
    object: 'webhook_endpoint',
    api_version: params.api_version ?? null,
    application: null,
    created: ctx.now,
    description: params.description ?? null,
    enabled_events: params.enabled_events,
    livemode: false,
    metadata: params.metadata ?? {},
    status: 'enabled',
    url: params.url,
    hidden: { secret },
  })
  return { ...endpoint, secret }
}

export const webhookEndpointRoutes: Route[] = [
  route('POST /v1/webhook_endpoints', creation, create),
  route('GET /v1/webhook_endpoints/:id', {}, (ctx, _params, id) => getObject(ctx, 'webhook_endpoint', id)),
  route(
    'POST /v1/webhook_endpoints/:id',
    {
      description: v.optional(clearableText),
      disabled: v.optional(flag),
      enabled_events: v.optional(events),
      metadata,
      url: v.optional(url),
    },
    (ctx, params, id) => {
      const before = getObject(ctx, 'webhook_endpoint', id)
      return saveObject(ctx.store, {
        ...before,
        description: params.description === undefined ? before.description : params.description,
        enabled_events: params.enabled_events ?? before.enabled_events,
        metadata: mergeMetadata(before.metadata, params.metadata),
        status: params.disabled === undefined ? before.status : params.disabled ? 'disabled' : 'enabled',
        url: params.url ?? before.url,
      })
    },
  ),
  route('DELETE /v1/webhook_endpoints/:id', {}, (ctx, _params, id) =>
    markDeleted(ctx.store, 'webhook_endpoint', getObject(ctx, 'webhook_endpoint', id).id),
  ),
  route('GET /v1/webhook_endpoints', paging, (ctx, params) =>
    listPage(ctx, { kind: 'webhook_endpoint', url: '/v1/webhook_endpoints', filters: {}, paging: params }),
  ),
]

function withPending({ store }: Context, event: SandboxEvent): SandboxEvent {
  const row = store
    .prepare<[string], { waiting: number }>(
      "SELECT count(DISTINCT coalesce(endpoint, '')) AS waiting FROM deliveries WHERE event_id = ?",
    )
    .get(event.id)
  return { ...event, pending_webhooks: row?.waiting ?? 0 }
}

export const eventRoutes: Route[] = [
  route('GET /v1/events/:id', {}, (ctx, _params, id) => withPending(ctx, getObject(ctx, 'event', id))),
  route(
    'GET /v1/events',
    {
      ...paging,
      created: v.optional(range),
      delivery_success: v.optional(flag),
      type: v.optional(text),
      types: v.optional(v.pipe(v.array(text), v.maxLength(20))),
    },
    (ctx, params) => {
      if (params.type !== undefined && params.types !== undefined) {
        throw invalid('You may only specify one of these parameters: type, types.', {
          code: 'parameters_exclusive',
          param: 'type',
        })
      }
      const filters = {
        created: params.created,
        delivered: params.delivery_success,
        type: params.type ?? params.types,
      }
      const page = listPage(ctx, { kind: 'event', url: '/v1/events', filters, paging: params })
      return { ...page, data: page.data.map((event) => withPending(ctx, event)) }
    },
  ),
]
