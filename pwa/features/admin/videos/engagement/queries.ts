import { queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import type { ListDefinition } from '#pwa/features/admin/kit/list/use-list.ts'
import { adminKey, requestListPage } from '#pwa/features/admin/kit/queries.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { VideoFiguresList, VisitFigures } from '#shared/contract/engagement.ts'
import { MemberAtRisk, MemberAtRiskQuery } from '#shared/contract/risk.ts'

const fiveMinutes = 5 * 60_000
const renewed = { staleTime: 0, refetchInterval: fiveMinutes, refetchOnReconnect: true }

/** YYYY-MM-DD; without them, the last 30 days. */
export type Range = { from?: string | undefined; to?: string | undefined }

export const visitsQuery = ({ from, to }: Range) =>
  queryOptions({
    queryKey: [adminKey, 'watching', 'visits', from, to],
    queryFn: () => parseResponse(VisitFigures, api.api.admin.watching.get({ query: { from, to } })),
    ...renewed,
  })

export const videosQuery = queryOptions({
  queryKey: [adminKey, 'watching', 'lessons'],
  queryFn: () => parseResponse(VideoFiguresList, api.api.admin.watching.lessons.get()),
  ...renewed,
})

export const atRiskList: ListDefinition<MemberAtRisk> = {
  isOfPeople: true,
  name: 'members-at-risk',
  request: (address, { cursor, limit }) => {
    const read = v.safeParse(v.omit(MemberAtRiskQuery, ['limit', 'cursor']), address)
    const query = { ...(read.success ? read.output : {}), cursor, limit }
    return requestListPage(MemberAtRisk, api.api.admin['members-at-risk'].get({ query }))
  },
  idOf: ({ id }) => id,
  refreshMs: fiveMinutes,
}
