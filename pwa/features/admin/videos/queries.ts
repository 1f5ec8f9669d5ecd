import { queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import type { ListDefinition } from '#pwa/features/admin/list/use-list.ts'
import { adminKey, requestListPage } from '#pwa/features/admin/queries.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import {
  AdminVideoList,
  LessonViewer,
  VideoCategories,
  VideoTexts,
  viewerStates,
} from '#shared/contract/admin-video.ts'

/** Includes drafts. Only the owner’s own changes refetch it, so no row moves under their finger. */
export const allVideosQuery = queryOptions({
  queryKey: [adminKey, 'videos'],
  queryFn: () => parseResponse(AdminVideoList, api.api.admin.videos.get()),
  staleTime: 0,
  refetchOnReconnect: true,
})

export const categoriesQuery = queryOptions({
  queryKey: [adminKey, 'video-categories'],
  queryFn: () => parseResponse(VideoCategories, api.api.admin.videos.categories.get()),
  staleTime: 0,
})

export const viewersList = (id: string): ListDefinition<LessonViewer> => ({
  name: `viewers-${id}`,
  request: ({ show }, page) => {
    const read = v.safeParse(v.picklist(viewerStates), show)
    const query = { ...(read.success ? { show: read.output } : {}), ...page }
    return requestListPage(LessonViewer, api.api.admin.videos({ id }).viewers.get({ query }))
  },
  idOf: (viewer) => viewer.id,
  refreshMs: 60_000,
})

export const videoTextsQuery = (id: string) =>
  queryOptions({
    queryKey: [adminKey, 'video-texts', id],
    queryFn: () => parseResponse(VideoTexts, api.api.admin.videos({ id }).texts.get()),
    staleTime: 0,
  })
