import { queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import type { ListDefinition } from '#pwa/features/admin/kit/list/use-list.ts'
import { adminKey, requestListPage } from '#pwa/features/admin/kit/queries.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import {
  AdminPost,
  AdminPostQuery,
  AdminPostSummary,
  PostAtVersion,
  PostVersionList,
} from '#shared/contract/admin-post.ts'

const posts = api.api.admin.blog

/** Includes drafts. */
export const postList: ListDefinition<AdminPostSummary> = {
  name: 'posts',
  request: (address, page) => {
    const read = v.safeParse(AdminPostQuery, address)
    return requestListPage(AdminPostSummary, posts.get({ query: { ...(read.success ? read.output : {}), ...page } }))
  },
  idOf: ({ id }) => id,
  refreshMs: 5 * 60_000,
}

/** Always refetched, so that an owner doesn’t start from an old version. */
export const adminPostQuery = (id: string) =>
  queryOptions({
    queryKey: [adminKey, 'post', id],
    queryFn: () => parseResponse(AdminPost, posts({ id }).get()),
    staleTime: 0,
    gcTime: 0,
  })

export const postVersionsQuery = (id: string) =>
  queryOptions({
    queryKey: [adminKey, 'post-versions', id],
    queryFn: () => parseResponse(PostVersionList, posts({ id }).versions.get()),
    staleTime: 0,
  })

export const postAtVersionQuery = (id: string, number: number) =>
  queryOptions({
    queryKey: [adminKey, 'post-version', id, number],
    queryFn: () =>
      parseResponse(
        PostAtVersion,
        posts({ id })
          .versions({ number: String(number) })
          .get(),
      ),
  })
