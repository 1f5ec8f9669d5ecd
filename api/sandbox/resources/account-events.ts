import type Stripe from 'stripe'
import * as v from 'valibot'
import { invalid } from '#api/sandbox/http/errors.ts'
import { listPage } from '#api/sandbox/http/lists.ts'
import { flag, paging, range, text } from '#api/sandbox/http/params.ts'
import { type Route, route } from '#api/sandbox/http/route.ts'
import { get } from '#api/sandbox/store/get.ts'
import type { SandboxEvent } from '#api/sandbox/store/objects.ts'
import type { Work } from '#api/sandbox/store/work.ts'

const account: Stripe.Account = {
  id: 'acct_sandbox',
  object: 'account',
  business_profile: {
    mcc: null,
    minority_owned_business_designation: null,
    name: 'Sandbox',
    specified_commercial_transactions_act_url: null,
    support_address: null,
    support_email: null,
    support_phone: null,
    support_url: null,
    url: null,
  },
  business_type: 'company',
  capabilities: { card_payments: 'active', transfers: 'active' },
  charges_enabled: true,
  country: 'GB',
  created: 0,
  default_currency: 'gbp',
  details_submitted: true,
  email: 'sandbox@example.test',
  metadata: {},
  payouts_enabled: true,
  type: 'standard',
}

/** How many have not taken it yet. */
function withPending({ store }: Work, event: SandboxEvent): SandboxEvent {
  const row = store
    .prepare<[string], { waiting: number }>(
      "SELECT count(DISTINCT coalesce(endpoint, '')) AS waiting FROM deliveries WHERE event_id = ?",
    )
    .get(event.id)
  return { ...event, pending_webhooks: row?.waiting ?? 0 }
}

export const accountAndEventRoutes: Route[] = [
  route('GET /v1/account', {}, () => account),
  route('GET /v1/events/:id', {}, (work, _params, id) => withPending(work, get(work, 'event', id))),
  route(
    'GET /v1/events',
    {
      ...paging,
      created: v.optional(range),
      delivery_success: v.optional(flag),
      type: v.optional(text),
      types: v.optional(v.pipe(v.array(text), v.maxLength(20))),
    },
    (work, params) => {
      if (params.type !== undefined && params.types !== undefined) {
        throw invalid('You may only specify one of these parameters: type, types.', { param: 'type' })
      }
      const filters = {
        created: params.created,
        delivered: params.delivery_success,
        type: params.type ?? params.types,
      }
      const page = listPage(work, { kind: 'event', url: '/v1/events', filters, paging: params })
      return { ...page, data: page.data.map((event) => withPending(work, event)) }
    },
  ),
]
