import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { withOwnCalendar } from '#api/features/calendar/setup-service.ts'
import { withOwnEpisodes } from '#api/features/podcast/service.ts'
import { withLowestPrice } from '#api/features/tiers/service.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { cachedResponse } from '#api/http/response-cache.ts'
import { session } from '#api/http/session.ts'
import {
  ContentChangeList,
  ContentEdit,
  ContentHistory,
  ContentPageState,
  ContentParams,
  ContentReset,
} from '#shared/contract/admin-content.ts'
import { UnfinishedList } from '#shared/contract/content-check.ts'
import { SiteContentQuery, SiteContentResponse } from '#shared/contract/page-texts.ts'
import { findUnfinished } from './check-service.ts'
import { editContent, listContentChanges, readContentHistory, readContentPage, resetContent } from './edit-service.ts'
import type { ContentStore } from './service.ts'

/** What owners edit: whole, or one page's. It has been checked when it was read. */
export const contentRoutes = (ctx: Context, content: () => ContentStore) =>
  new Elysia({ name: 'content' })
    .use(session(ctx))
    .get(
      '/api/site-content',
      ({ query: { page }, request, set }) => {
        const { site, pages } = content().read()
        return cachedResponse(ctx, { request, set }, { key: `content.${page ?? ''}` }, () => {
          const shown = { ...pages, podcast: withOwnEpisodes(ctx, pages.podcast) }
          return page ? shown[page] : { site: withOwnCalendar(ctx, withLowestPrice(ctx, site)), pages: shown }
        })
      },
      { open: true, query: SiteContentQuery, response: { 200: SiteContentResponse, ...errorResponses } },
    )
    .get('/api/admin/unfinished', () => findUnfinished(ctx), {
      owner: true,
      response: { 200: UnfinishedList, ...errorResponses },
    })
    .get('/api/admin/content', () => listContentChanges(ctx), {
      owner: true,
      response: { 200: ContentChangeList, ...errorResponses },
    })
    .get('/api/admin/content/:page', ({ params }) => readContentPage(ctx, params.page), {
      owner: true,
      params: ContentParams,
      response: { 200: ContentPageState, ...errorResponses },
    })
    .get('/api/admin/content/:page/history', ({ params }) => readContentHistory(ctx, params.page), {
      owner: true,
      params: ContentParams,
      response: { 200: ContentHistory, ...errorResponses },
    })
    .put(
      '/api/admin/content/:page',
      ({ owner, params, body }) => editContent(ctx, owner, { ...body, page: params.page }),
      {
        owner: true,
        params: ContentParams,
        body: ContentEdit,
        response: { 200: ContentPageState, ...errorResponses },
      },
    )
    .post(
      '/api/admin/content/:page/reset',
      ({ owner, params, body }) => resetContent(ctx, owner, { ...body, page: params.page }),
      {
        owner: true,
        params: ContentParams,
        body: ContentReset,
        response: { 200: ContentPageState, ...errorResponses },
      },
    )
