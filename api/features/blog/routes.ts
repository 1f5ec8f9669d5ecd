import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { refusals } from '#api/http/answers.ts'
import { keptAnswer } from '#api/http/kept.ts'
import { session } from '#api/http/session.ts'
import { BlogPost, BlogPostList, BlogPostParams } from '#shared/contract/blog.ts'
import { getPost, listPosts } from './service.ts'

export const blogRoutes = (ctx: Context) =>
  new Elysia({ name: 'blog' })
    .use(session(ctx))
    .get('/api/blog', ({ request, set }) => keptAnswer(ctx, { request, set }, 'blog', () => listPosts(ctx)), {
      open: true,
      response: { 200: BlogPostList },
    })
    .get(
      '/api/blog/:slug',
      ({ params, request, set }) =>
        keptAnswer(ctx, { request, set }, `blog:${params.slug}`, () => getPost(ctx, params.slug)),
      { open: true, params: BlogPostParams, response: { 200: BlogPost, ...refusals } },
    )
