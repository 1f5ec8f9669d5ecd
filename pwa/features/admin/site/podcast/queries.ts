import { queryOptions } from '@tanstack/react-query'
import { adminKey } from '#pwa/features/admin/kit/queries.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { MediaFileList } from '#shared/contract/media.ts'
import { AdminEpisodeList } from '#shared/contract/podcast.ts'
import { isPodcastPicture, isPodcastSound } from '#shared/values/media.ts'

/** Includes drafts. */
export const episodesQuery = queryOptions({
  queryKey: [adminKey, 'podcast'],
  queryFn: () => parseResponse(AdminEpisodeList, api.api.admin.podcast.get()),
  staleTime: 0,
  refetchInterval: 5 * 60_000,
  refetchOnReconnect: true,
})

const publicFilesQuery = queryOptions({
  queryKey: [adminKey, 'podcast-files'],
  queryFn: async () => {
    const files = await parseResponse(MediaFileList, api.api.admin.media.get())
    return files.filter(({ isPublic }) => isPublic)
  },
  staleTime: 0,
})

export const soundsQuery = queryOptions({
  ...publicFilesQuery,
  select: (files) => files.filter(({ format }) => isPodcastSound(format)),
})

export const picturesQuery = queryOptions({
  ...publicFilesQuery,
  select: (files) => files.filter(({ format }) => isPodcastPicture(format)),
})
