import { queryOptions } from '@tanstack/react-query'
import { adminKey } from '#pwa/features/admin/queries.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { AdminVideoList, VideoTexts } from '#shared/contract/admin-video.ts'

/** Drafts too. Nothing renews it while it is read but the owner's own changes, so no row moves under the finger. */
export const allVideosQuery = queryOptions({
  queryKey: [adminKey, 'videos'],
  queryFn: () => parseResponse(AdminVideoList, api.api.admin.videos.get()),
  staleTime: 0,
  refetchOnReconnect: true,
})

export const videoTextsQuery = (id: string) =>
  queryOptions({
    queryKey: [adminKey, 'video-texts', id],
    queryFn: () => parseResponse(VideoTexts, api.api.admin.videos({ id }).texts.get()),
    staleTime: 0,
  })
