import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { linkToNextPage, respondWithPage } from '#api/http/listing.ts'
import { session } from '#api/http/session.ts'
import { cachedListResponse, cachedResponse } from '#api/serving/kept-answers.ts'
import {
  AdminPost,
  AdminPostList,
  AdminPostQuery,
  PostAddresses,
  PostAtVersion,
  PostChangeRequest,
  PostParams,
  PostPreview,
  PostPreviewRequest,
  PostRemoved,
  PostRequest,
  PostVersionList,
  PostVersionParams,
  RemovePostQuery,
  RestorePostRequest,
} from '#shared/contract/admin-post.ts'
import { BlogPost, BlogPostList, BlogPostParams, BlogPostQuery } from '#shared/contract/blog.ts'
import {
  addAddresses,
  changePost,
  createPost,
  listVersions,
  previewContent,
  readPost,
  readPostAt,
  removePost,
  restorePost,
} from './admin-service.ts'
import { listAllPosts } from './queries.ts'
import { getPost, listPostsInParts, pageOfPosts } from './service.ts'

const defaultPage = 200

export const blogRoutes = (ctx: Context) =>
  new Elysia({ name: 'blog', tags: ['The public site'] })
    .use(session(ctx))
    .use(ownerRoutes(ctx))
    .get(
      '/api/blog',
      (call) => {
        const { limit, cursor } = call.query
        if (limit === undefined && cursor === undefined) {
          return cachedListResponse(ctx, call, { key: 'blog' }, () => listPostsInParts(ctx))
        }
        const { posts, next } = pageOfPosts(ctx, limit ?? defaultPage, cursor ?? null)
        linkToNextPage(call, next)
        return posts
      },
      {
        open: true,
        says: 'Lists the published posts.',
        query: BlogPostQuery,
        response: { 200: BlogPostList, ...errorResponses },
      },
    )
    .get(
      '/api/blog/:slug',
      ({ params, request, set }) =>
        cachedResponse(ctx, { request, set }, { key: `blog:${params.slug}` }, () => getPost(ctx, params.slug)),
      {
        open: true,
        says: 'Shows a published post.',
        params: BlogPostParams,
        response: { 200: BlogPost, ...errorResponses },
      },
    )

const ownerRoutes = (ctx: Context) =>
  new Elysia({ name: 'admin-blog', tags: ['Blog and podcast'] })
    .use(session(ctx))
    .get(
      '/api/admin/blog',
      ({ query, request, set }) =>
        respondWithPage({ request, set }, listAllPosts(ctx, { ...query, limit: query.limit ?? defaultPage })),
      {
        owner: true,
        says: 'Lists the posts, drafts too.',
        query: AdminPostQuery,
        response: { 200: AdminPostList, ...errorResponses },
      },
    )
    .post(
      '/api/admin/blog',
      ({ owner, body, request: { headers } }) =>
        createPost(ctx, owner, { request: body, key: headers.get('idempotency-key') ?? undefined }),
      {
        owner: 'it can be put back',
        says: 'Adds a post.',
        audit: 'post.created',
        body: PostRequest,
        response: { 200: AdminPost, ...errorResponses },
      },
    )
    .post('/api/admin/blog/preview', ({ body }) => previewContent(ctx, body.content), {
      owner: 'it tries something out and keeps nothing',
      says: 'Shows how a text will look as a post.',
      audit: null,
      body: PostPreviewRequest,
      response: { 200: PostPreview, ...errorResponses },
    })
    .get('/api/admin/blog/:id/versions', ({ params }) => listVersions(ctx, params.id), {
      owner: true,
      says: 'Lists a post’s earlier versions.',
      params: PostParams,
      response: { 200: PostVersionList, ...errorResponses },
    })
    .get('/api/admin/blog/:id/versions/:number', ({ params }) => readPostAt(ctx, params), {
      owner: true,
      says: 'Shows an earlier version.',
      params: PostVersionParams,
      response: { 200: PostAtVersion, ...errorResponses },
    })
    .post(
      '/api/admin/blog/:id/versions/:number/restore',
      ({ owner, params, body }) => restorePost(ctx, owner, { ...params, ...body }),
      {
        owner: 'it can be put back',
        says: 'Brings an earlier version back.',
        audit: 'post.restored',
        params: PostVersionParams,
        body: RestorePostRequest,
        response: { 200: AdminPost, ...errorResponses },
      },
    )
    .post(
      '/api/admin/blog/:id/addresses',
      ({ owner, params, body }) => addAddresses(ctx, owner, { ...params, ...body }),
      {
        owner: 'it can be put back',
        says: 'Sends older addresses on to a post.',
        audit: 'post.changed',
        params: PostParams,
        body: PostAddresses,
        response: { 200: PostAddresses, ...errorResponses },
      },
    )
    .get('/api/admin/blog/:id', ({ params }) => readPost(ctx, params.id), {
      owner: true,
      says: 'Shows a post.',
      params: PostParams,
      response: { 200: AdminPost, ...errorResponses },
    })
    .patch('/api/admin/blog/:id', ({ owner, params, body }) => changePost(ctx, owner, { ...params, request: body }), {
      owner: 'it can be put back',
      says: 'Changes or publishes a post.',
      audit: 'post.changed',
      params: PostParams,
      body: PostChangeRequest,
      response: { 200: AdminPost, ...errorResponses },
    })
    .delete('/api/admin/blog/:id', ({ owner, params, query }) => removePost(ctx, owner, { ...params, ...query }), {
      owner: 'the owners put it up themselves',
      says: 'Deletes a post.',
      audit: 'post.removed',
      params: PostParams,
      query: RemovePostQuery,
      response: { 200: PostRemoved, ...errorResponses },
    })
