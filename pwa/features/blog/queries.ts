import { queryOptions } from '@tanstack/react-query'
import { loadFile } from '#pwa/lib/load-file.ts'
import type { BlogPost } from '#shared/contract/blog.ts'

export const postsQuery = queryOptions({
  queryKey: ['blog'],
  queryFn: async () => (await loadFile(() => import('#pwa/lib/public-requests.ts'))).requestPosts(),
})

/** Null if no published post has this slug. */
export const postQuery = (slug: string) =>
  queryOptions({
    queryKey: ['blog', slug],
    queryFn: async ({ client }): Promise<BlogPost | null> =>
      (await loadFile(() => import('#pwa/lib/public-requests.ts'))).requestPost(slug, client),
  })
