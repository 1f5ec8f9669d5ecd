import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import * as v from 'valibot'
import type { ListDefinition } from '#pwa/features/admin/kit/list/use-list.ts'
import { adminKey, requestListPage } from '#pwa/features/admin/kit/queries.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { type AdminCall, AdminCallList, CallSetup } from '#shared/contract/calendar.ts'
import { CallFeedList, CallMorningList, MonthlyCall, MonthlyCallQuery } from '#shared/contract/owner-calendar.ts'
import { londonDay } from '#shared/rules/london.ts'

const calls = api.api.admin.calendar
const fiveMinutes = 5 * 60_000
const fresh = { staleTime: 0, refetchInterval: fiveMinutes, refetchOnReconnect: true }

/** Includes the server’s time, which decides what can still be booked. */
export const setupQuery = queryOptions({
  queryKey: [adminKey, 'calendar', 'setup'],
  queryFn: () => parseResponse(CallSetup, calls.get()),
  ...fresh,
})

/** Without `to`: everything booked from that day on. */
type Shown = { from: string; to?: string | undefined; coach?: string | undefined }

/** Keeps the previous days’ calls on screen until these have loaded. */
export const callsQuery = ({ from, to, coach }: Shown) =>
  queryOptions({
    queryKey: [adminKey, 'calendar', 'calls', from, to ?? '', coach ?? ''],
    queryFn: () =>
      parseResponse(
        AdminCallList,
        calls.calls.get({
          query: { from, ...(to === undefined ? {} : { to }), ...(coach === undefined ? {} : { coach }) },
        }),
      ),
    placeholderData: keepPreviousData,
    ...fresh,
  })

export const morningsQuery = queryOptions({
  queryKey: [adminKey, 'calendar', 'mornings'],
  queryFn: () => parseResponse(CallMorningList, calls.mornings.get()),
  ...fresh,
})

export const feedsQuery = queryOptions({
  queryKey: [adminKey, 'calendar', 'feeds'],
  queryFn: () => parseResponse(CallFeedList, calls.feeds.get()),
  ...fresh,
})

/** `from` in the address is the month. */
export const monthlyList: ListDefinition<MonthlyCall> = {
  isOfPeople: true,
  name: 'monthly-calls',
  idOf: ({ id }) => id,
  refreshMs: fiveMinutes,
  request: ({ q, show, sort, from }, page) => {
    const asked = v.safeParse(v.omit(MonthlyCallQuery, ['limit', 'cursor']), { q, show, sort, month: from })
    return requestListPage(
      MonthlyCall,
      calls.monthly.get({ query: { ...(asked.success ? asked.output : {}), ...page } }),
    )
  },
}

const textOrNothing = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

type Address = {
  view?: string | undefined
  day?: string | undefined
  span?: string | undefined
  coach?: string | undefined
}

export const toCall =
  ({ id, startsAt }: Pick<AdminCall, 'id' | 'startsAt'>) =>
  <Search extends object>(list: Search): Search => ({
    ...list,
    view: undefined,
    span: undefined,
    coach: undefined,
    day: londonDay(new Date(startsAt)),
    entry: id,
  })

export function useCalendarAddress() {
  const { view, day, span, coach, ...others }: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const address: Address = {
    view: textOrNothing(view),
    day: textOrNothing(day),
    span: textOrNothing(span),
    coach: textOrNothing(coach),
  }
  const change = (changed: Address) => {
    const search = Object.fromEntries(
      Object.entries({ ...others, ...address, ...changed }).filter(([, value]) => value),
    )
    navigate({ to: '.', search, resetScroll: false }).catch(reportError)
  }
  return { address, change }
}
