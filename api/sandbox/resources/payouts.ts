import * as v from 'valibot'
import { invalid } from '#api/sandbox/errors.ts'
import { isWithin } from '#api/sandbox/store/lists.ts'
import { noSuchObject } from '#api/sandbox/store/no-such-object.ts'
import { allEntries, allPayouts, balanceOf } from './balance.ts'
import { paging, range, text } from './params.ts'
import { type Route, route } from './route.ts'

type Page = { limit?: number | undefined; starting_after?: string | undefined; ending_before?: string | undefined }

function pageOf(all: readonly { id: string }[], url: string, { limit = 10, starting_after, ending_before }: Page) {
  if (ending_before !== undefined)
    throw invalid('The sandbox pages this list forwards only.', { param: 'ending_before' })
  const after = starting_after === undefined ? 0 : all.findIndex(({ id }) => id === starting_after) + 1
  return { object: 'list', data: all.slice(after, after + limit), has_more: all.length > after + limit, url }
}

export const payoutRoutes: Route[] = [
  route('GET /v1/balance', {}, balanceOf),
  route('GET /v1/payouts/:id', {}, (ctx, _params, id) => {
    const found = allPayouts(ctx).find(({ payout }) => payout.id === id)
    if (found === undefined) throw noSuchObject('payout', id)
    return found.payout
  }),
  route('GET /v1/payouts', { ...paging }, (ctx, params) => {
    const all = allPayouts(ctx).map(({ payout }) => payout)
    return pageOf(all, '/v1/payouts', params)
  }),
  route(
    'GET /v1/balance_transactions',
    { ...paging, created: v.optional(range), payout: v.optional(text) },
    (ctx, { payout: id, created, ...params }) => {
      const entries =
        id === undefined ? allEntries(ctx) : (allPayouts(ctx).find(({ payout }) => payout.id === id)?.entries ?? [])
      const wanted = entries.filter((entry) => created === undefined || isWithin(created, entry.created))
      return pageOf(wanted, '/v1/balance_transactions', params)
    },
  ),
]
