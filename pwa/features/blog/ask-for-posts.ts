import { api, ask } from '#pwa/lib/api.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { BlogPost, BlogPostList } from '#shared/contract/blog.ts'

export const askForPosts = () => ask(BlogPostList, api.api.blog.get())

export const askForPost = async (slug: string): Promise<BlogPost | null> => {
  try {
    return await ask(BlogPost, api.api.blog({ slug }).get())
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return null
    throw error
  }
}
