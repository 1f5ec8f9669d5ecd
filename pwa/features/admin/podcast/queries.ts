import { queryOptions } from '@tanstack/react-query'
import { adminKey } from '#pwa/features/admin/queries.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { MediaFileList } from '#shared/contract/media.ts'
import { AdminEpisodeList } from '#shared/contract/podcast.ts'
import { isPodcastSound } from '#shared/rules/media.ts'

/** Drafts too. */
export const episodesQuery = queryOptions({
  queryKey: [adminKey, 'podcast'],
  queryFn: () => parseResponse(AdminEpisodeList, api.api.admin.podcast.get()),
  staleTime: 0,
  refetchInterval: 5 * 60_000,
  refetchOnReconnect: true,
})

/** The files that an episode can be: sound that everybody may hear. */
export const soundsQuery = queryOptions({
  queryKey: [adminKey, 'podcast-sounds'],
  queryFn: async () => {
    const files = await parseResponse(MediaFileList, api.api.admin.media.get())
    return files.filter(({ isPublic, format }) => isPublic && isPodcastSound(format))
  },
  staleTime: 0,
})
