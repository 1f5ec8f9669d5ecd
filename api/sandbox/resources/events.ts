import * as v from 'valibot'
import { invalid } from '#api/sandbox/errors.ts'
import { type Context, getObject } from '#api/sandbox/store/context.ts'
import { listPage } from '#api/sandbox/store/lists.ts'
import type { SandboxEvent } from '#api/sandbox/store/objects.ts'
import { flag, paging, range, text } from './params.ts'
import { type Route, route } from './route.ts'

/** Counts the receivers that have not accepted the event yet. */
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
