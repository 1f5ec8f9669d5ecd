import { queryOptions } from '@tanstack/react-query'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { AdminVideoList } from '#shared/contract/admin-video.ts'
import { adminKey } from './queries.ts'

/** Includes drafts. Only the owner’s own changes refetch it, so no row moves under their finger. */
export const allVideosQuery = queryOptions({
  queryKey: [adminKey, 'videos'],
  queryFn: () => parseResponse(AdminVideoList, api.api.admin.videos.get()),
  staleTime: 0,
  refetchOnReconnect: true,
})
