import { queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import type { ListDefinition } from '#pwa/features/admin/kit/list/use-list.ts'
import { adminKey, requestListPage } from '#pwa/features/admin/kit/queries.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { VideoCategories, VideoViewer, viewerStates, WholeVideo } from '#shared/contract/admin-video.ts'
import { VideoQuestionList } from '#shared/contract/questions.ts'
import { VideoVersions } from '#shared/contract/video-versions.ts'

export const categoriesQuery = queryOptions({
  queryKey: [adminKey, 'video-categories'],
  queryFn: () => parseResponse(VideoCategories, api.api.admin.videos.categories.get()),
  staleTime: 0,
})

export const viewersList = (id: string): ListDefinition<VideoViewer> => ({
  isOfPeople: true,
  name: `viewers-${id}`,
  request: ({ show }, page) => {
    const read = v.safeParse(v.picklist(viewerStates), show)
    const query = { ...(read.success ? { show: read.output } : {}), ...page }
    return requestListPage(VideoViewer, api.api.admin.videos({ id }).viewers.get({ query }))
  },
  idOf: (viewer) => viewer.id,
  refreshMs: 60_000,
})

/** Looks again while something is being made. */
export const versionsQuery = (id: string) =>
  queryOptions({
    queryKey: [adminKey, 'versions', id],
    queryFn: () => parseResponse(VideoVersions, api.api.admin.videos({ id }).versions.get()),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => {
      const states = data?.versions.map(({ state }) => state) ?? []
      return states.includes('making') ? 2_000 : states.includes('waiting') ? 10_000 : false
    },
  })

export const videoQuestionsQuery = (id: string) =>
  queryOptions({
    queryKey: [adminKey, 'video-questions', id],
    queryFn: () => parseResponse(VideoQuestionList, api.api.admin.videos({ id })['published-questions'].get()),
    staleTime: 0,
  })

/** Always refetched, so that an owner doesn’t start from an old version. */
export const videoQuery = (id: string) =>
  queryOptions({
    queryKey: [adminKey, 'lesson', id],
    queryFn: () => parseResponse(WholeVideo, api.api.admin.videos({ id }).get()),
    staleTime: 0,
    gcTime: 0,
  })
