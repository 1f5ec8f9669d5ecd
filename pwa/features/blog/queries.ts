import { queryOptions } from '@tanstack/react-query'
import type { BlogPost } from '#shared/contract/blog.ts'

/** The published posts, newest first. */
export const postsQuery = queryOptions({
  queryKey: ['blog'],
  queryFn: async () => (await import('./ask-for-posts.ts')).askForPosts(),
})

/** One published post; null where there is none of this name. */
export const postQuery = (slug: string) =>
  queryOptions({
    queryKey: ['blog', slug],
    queryFn: async (): Promise<BlogPost | null> => (await import('./ask-for-posts.ts')).askForPost(slug),
  })
