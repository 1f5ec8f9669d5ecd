import * as v from 'valibot'
import { mergeMetadata } from '#api/sandbox/billing/metadata.ts'
import { getObject } from '#api/sandbox/store/context.ts'
import { newId } from '#api/sandbox/store/ids.ts'
import { listPage } from '#api/sandbox/store/lists.ts'
import { insertObject, saveObject } from '#api/sandbox/store/store.ts'
import { emitChange, emitEvent } from '#api/sandbox/webhooks/events.ts'
import { decimal, flag, metadata, paging, range, text } from './params.ts'
import { type Route, route } from './route.ts'

const fields = {
  active: v.optional(flag),
  country: v.optional(text),
  description: v.optional(text),
  jurisdiction: v.optional(text),
  metadata,
  state: v.optional(text),
  tax_type: v.optional(text),
}

export const taxRateRoutes: Route[] = [
  route(
    'POST /v1/tax_rates',
    { ...fields, display_name: text, inclusive: flag, percentage: v.pipe(decimal, v.maxValue(100)) },
    (ctx, params) => {
      const rate = insertObject(ctx.store, {
        id: newId('txr'),
        object: 'tax_rate',
        active: params.active ?? true,
        country: params.country ?? null,
        created: ctx.now,
        description: params.description ?? null,
        display_name: params.display_name,
        effective_percentage: null,
        flat_amount: null,
        inclusive: params.inclusive,
        jurisdiction: params.jurisdiction ?? null,
        jurisdiction_level: null,
        livemode: false,
        metadata: params.metadata ?? {},
        percentage: params.percentage,
        rate_type: 'percentage',
        state: params.state ?? null,
        tax_type: params.tax_type ?? null,
      })
      emitEvent(ctx, 'tax_rate.created', rate)
      return rate
    },
  ),
  route('GET /v1/tax_rates/:id', {}, (ctx, _params, id) => getObject(ctx, 'tax_rate', id)),
  route('POST /v1/tax_rates/:id', { ...fields, display_name: v.optional(text) }, (ctx, params, id) => {
    const before = getObject(ctx, 'tax_rate', id)
    const after = saveObject(ctx.store, {
      ...before,
      active: params.active ?? before.active,
      country: params.country ?? before.country,
      description: params.description ?? before.description,
      display_name: params.display_name ?? before.display_name,
      jurisdiction: params.jurisdiction ?? before.jurisdiction,
      metadata: mergeMetadata(before.metadata ?? {}, params.metadata),
      state: params.state ?? before.state,
      tax_type: params.tax_type ?? before.tax_type,
    })
    emitChange(ctx, 'tax_rate.updated', before, after)
    return after
  }),
  route(
    'GET /v1/tax_rates',
    { ...paging, active: v.optional(flag), created: v.optional(range), inclusive: v.optional(flag) },
    (ctx, params) => {
      const { active, created, inclusive } = params
      const filters = { active, created, inclusive }
      return listPage(ctx, { kind: 'tax_rate', url: '/v1/tax_rates', filters, paging: params })
    },
  ),
]
