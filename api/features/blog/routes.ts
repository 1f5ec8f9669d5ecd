import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { cachedResponse } from '#api/http/response-cache.ts'
import { session } from '#api/http/session.ts'
import { BlogPost, BlogPostList, BlogPostParams, BlogPostQuery } from '#shared/contract/blog.ts'
import { getPost, listPosts, pageOfPosts } from './service.ts'

const defaultPage = 200

export const blogRoutes = (ctx: Context) =>
  new Elysia({ name: 'blog' })
    .use(session(ctx))
    .get(
      '/api/blog',
      ({ query: { limit, cursor }, request, set }) => {
        if (limit === undefined && cursor === undefined) {
          return cachedResponse(ctx, { request, set }, 'blog', () => listPosts(ctx))
        }
        const { posts, next } = pageOfPosts(ctx, limit ?? defaultPage, cursor ?? null)
        if (next !== null) set.headers.link = `</api/blog?limit=${limit ?? defaultPage}&cursor=${next}>; rel="next"`
        return posts
      },
      { open: true, query: BlogPostQuery, response: { 200: BlogPostList, ...errorResponses } },
    )
    .get(
      '/api/blog/:slug',
      ({ params, request, set }) =>
        cachedResponse(ctx, { request, set }, `blog:${params.slug}`, () => getPost(ctx, params.slug)),
      { open: true, params: BlogPostParams, response: { 200: BlogPost, ...errorResponses } },
    )
