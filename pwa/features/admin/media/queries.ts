import { queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import type { ListDefinition } from '#pwa/features/admin/list/use-list.ts'
import { adminKey, requestListPage } from '#pwa/features/admin/queries.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { AdminMediaQuery, MediaFile, MediaFileList, MediaRoom, MediaUploadList } from '#shared/contract/media.ts'
import type { MediaKind } from '#shared/rules/media.ts'

const Address = v.pick(AdminMediaQuery, ['q', 'sort', 'kind', 'use'])

export const mediaList: ListDefinition<MediaFile> = {
  name: 'media',
  request: ({ show, ...address }, page) => {
    const read = v.safeParse(Address, { ...address, ...(show === 'unused' ? { use: show } : { kind: show }) })
    return requestListPage(
      MediaFile,
      api.api.admin.media.get({ query: { ...(read.success ? read.output : {}), ...page } }),
    )
  },
  idOf: ({ id }) => id,
  refreshMs: 60_000,
}

/** Uploads that somebody has begun and not finished, on whatever device. */
export const uploadsQuery = queryOptions({
  queryKey: [adminKey, 'uploads'],
  queryFn: () => parseResponse(MediaUploadList, api.api.admin.media.uploads.get()),
  staleTime: 0,
})

export const roomQuery = queryOptions({
  queryKey: [adminKey, 'media-room'],
  queryFn: () => parseResponse(MediaRoom, api.api.admin.media.room.get()),
  staleTime: 0,
})

const mostChoices = 1000

/** The files for members that a lesson can have, by name. */
export const choicesQuery = (kinds: readonly MediaKind[]) =>
  queryOptions({
    queryKey: [adminKey, 'media-choices', ...kinds],
    queryFn: async () => {
      const pages = await Promise.all(
        kinds.map((kind) =>
          parseResponse(
            MediaFileList,
            api.api.admin.media.get({ query: { kind, who: 'members', sort: 'name', limit: mostChoices } }),
          ),
        ),
      )
      return pages.flat()
    },
    staleTime: 0,
  })

/** What stands in a file of words. Throws where there is no signal, and where it is gone: then the answer is no captions. */
export async function readMediaText(address: string): Promise<string> {
  const response = await fetch(address, { credentials: 'same-origin' })
  if (!response.ok) throw new Error('The file could not be read.')
  return response.text()
}
