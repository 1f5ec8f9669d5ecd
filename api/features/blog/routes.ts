import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { linkToNextPage } from '#api/http/listing.ts'
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
      (call) => {
        const { limit, cursor } = call.query
        if (limit === undefined && cursor === undefined) {
          return cachedResponse(ctx, call, { key: 'blog' }, () => listPosts(ctx))
        }
        const { posts, next } = pageOfPosts(ctx, limit ?? defaultPage, cursor ?? null)
        linkToNextPage(call, next)
        return posts
      },
      { open: true, query: BlogPostQuery, response: { 200: BlogPostList, ...errorResponses } },
    )
    .get(
      '/api/blog/:slug',
      ({ params, request, set }) =>
        cachedResponse(ctx, { request, set }, { key: `blog:${params.slug}` }, () => getPost(ctx, params.slug)),
      { open: true, params: BlogPostParams, response: { 200: BlogPost, ...errorResponses } },
    )
