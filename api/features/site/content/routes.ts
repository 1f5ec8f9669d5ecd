import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { fileOf } from '#api/http/file-answer.ts'
import { session } from '#api/http/session.ts'
import { cachedResponse } from '#api/serving/kept-answers.ts'
import { contentOf } from '#api/site/content.ts'
import {
  ContentChangeList,
  ContentDraftList,
  ContentDraftRemoved,
  ContentDraftRequest,
  ContentDraftState,
  ContentEdit,
  ContentHistory,
  ContentPageState,
  ContentParams,
  ContentReset,
} from '#shared/contract/admin-content.ts'
import { UnfinishedList } from '#shared/contract/content-check.ts'
import {
  ContentSearch,
  FoundTextList,
  TierMentionsQuery,
  TierSentences,
  TierSentencesQuery,
} from '#shared/contract/found-text.ts'
import { SiteContentQuery, SiteContentResponse } from '#shared/contract/page-texts.ts'
import { MailTextList, MailTextParams, MailTextTest } from '#shared/contract/texts/mails.ts'
import { findUnfinished } from './check-service.ts'
import { dropDraft, listDrafts, publishDraft, readDraft, saveDraft } from './draft-service.ts'
import { editContent, listContentChanges, readContentHistory, readContentPage, resetContent } from './edit-service.ts'
import { listMailTexts, respondWithMail, sendTestMail } from './mail-texts-service.ts'
import { publicContent } from './public-service.ts'
import { findMentions, findTexts, findUntrue } from './search-service.ts'

/** Content was validated when it was read. */
export const contentRoutes = (ctx: Context) => publishedRoutes(ctx).use(draftRoutes(ctx)).use(mailTextRoutes(ctx))

const publishedRoutes = (ctx: Context) =>
  new Elysia({ name: 'content', tags: ['Content'] })
    .use(session(ctx))
    .get(
      '/api/site-content',
      ({ query: { page }, request, set }) => {
        const all = contentOf(ctx).read()
        return cachedResponse(ctx, { request, set }, { key: `content.${page ?? ''}` }, () => {
          const shown = publicContent(ctx, all)
          return page ? shown.pages[page] : shown
        })
      },
      {
        open: true,
        says: 'Returns the words of the public pages.',
        tags: ['The public site'],
        query: SiteContentQuery,
        response: { 200: SiteContentResponse, ...errorResponses },
      },
    )
    .get('/api/admin/unfinished', () => findUnfinished(ctx), {
      owner: true,
      says: 'Lists words you still have to fill in.',
      response: { 200: UnfinishedList, ...errorResponses },
    })
    .get('/api/admin/content', () => listContentChanges(ctx), {
      owner: true,
      says: 'Lists the words you’ve changed.',
      response: { 200: ContentChangeList, ...errorResponses },
    })
    .get('/api/admin/content-texts', ({ query: { q } }) => findTexts(ctx, q), {
      owner: true,
      says: 'Finds a sentence among the words of your pages and emails.',
      query: ContentSearch,
      response: { 200: FoundTextList, ...errorResponses },
    })
    .get('/api/admin/tier-sentences', ({ query }) => findUntrue(ctx, query), {
      owner: true,
      says: 'Finds sentences that count tiers or say how they’re paid, and would be untrue.',
      query: TierSentencesQuery,
      response: { 200: TierSentences, ...errorResponses },
    })
    .get('/api/admin/tier-mentions', ({ query }) => findMentions(ctx, query), {
      owner: true,
      says: 'Finds sentences that name a tier.',
      query: TierMentionsQuery,
      response: { 200: TierSentences, ...errorResponses },
    })
    .get('/api/admin/content/:page', ({ params }) => readContentPage(ctx, params.page), {
      owner: true,
      says: 'Shows the words of a page.',
      params: ContentParams,
      response: { 200: ContentPageState, ...errorResponses },
    })
    .get('/api/admin/content/:page/history', ({ params }) => readContentHistory(ctx, params.page), {
      owner: true,
      says: 'Lists earlier words of a page.',
      params: ContentParams,
      response: { 200: ContentHistory, ...errorResponses },
    })
    .put(
      '/api/admin/content/:page',
      ({ owner, params, body }) => editContent(ctx, owner, { ...body, page: params.page }),
      {
        owner: 'it can be put back',
        says: 'Changes one entry of a page.',
        audit: 'content.changed',
        params: ContentParams,
        body: ContentEdit,
        response: { 200: ContentPageState, ...errorResponses },
      },
    )
    .post(
      '/api/admin/content/:page/reset',
      ({ owner, params, body }) => resetContent(ctx, owner, { ...body, page: params.page }),
      {
        owner: 'it can be put back',
        says: 'Puts back an entry’s original text.',
        audit: 'content.changed',
        params: ContentParams,
        body: ContentReset,
        response: { 200: ContentPageState, ...errorResponses },
      },
    )

const draftRoutes = (ctx: Context) =>
  new Elysia({ name: 'content-drafts', tags: ['Content'] })
    .use(session(ctx))
    .get('/api/admin/content-drafts', ({ owner }) => listDrafts(ctx, owner), {
      owner: true,
      says: 'Lists the pages with a draft.',
      response: { 200: ContentDraftList, ...errorResponses },
    })
    .get('/api/admin/content/:page/draft', ({ owner, params: { page } }) => readDraft(ctx, owner, page), {
      owner: true,
      says: 'Shows your draft of a page.',
      params: ContentParams,
      response: { 200: ContentDraftState, ...errorResponses },
    })
    .put(
      '/api/admin/content/:page/draft',
      ({ owner, params: { page }, body }) => saveDraft(ctx, owner, { ...body, page }),
      {
        owner: 'it can be put back',
        says: 'Saves your draft of a page.',
        audit: null,
        params: ContentParams,
        body: ContentDraftRequest,
        response: { 200: ContentDraftState, ...errorResponses },
      },
    )
    .delete('/api/admin/content/:page/draft', ({ owner, params: { page } }) => dropDraft(ctx, owner, page), {
      owner: 'it can be put back',
      says: 'Throws your draft of a page away.',
      audit: null,
      params: ContentParams,
      response: { 200: ContentDraftRemoved, ...errorResponses },
    })
    .post(
      '/api/admin/content/:page/publish',
      ({ owner, params: { page }, body }) => publishDraft(ctx, owner, { ...body, page }),
      {
        owner: 'it can be put back',
        says: 'Publishes your draft of a page.',
        audit: 'content.changed',
        params: ContentParams,
        body: ContentDraftRequest,
        response: { 200: ContentPageState, ...errorResponses },
      },
    )

const mailTextRoutes = (ctx: Context) =>
  new Elysia({ name: 'mail-texts', tags: ['Content'] })
    .use(session(ctx))
    .get('/api/admin/mail-words', ({ owner }) => listMailTexts(ctx, owner), {
      owner: true,
      says: 'Lists the emails you can word.',
      response: { 200: MailTextList, ...errorResponses },
    })
    .get('/api/admin/mail-words/:kind', ({ owner, params: { kind } }) => respondWithMail(ctx, owner, kind), {
      owner: true,
      says: 'Shows an email as members get it.',
      params: MailTextParams,
      response: { 200: fileOf('text/html'), ...errorResponses },
    })
    .post('/api/admin/mail-words/:kind/test', ({ owner, params: { kind } }) => sendTestMail(ctx, owner, kind), {
      owner: 'it tries something out and keeps nothing',
      says: 'Emails you a sample of it.',
      audit: null,
      params: MailTextParams,
      response: { 200: MailTextTest, ...errorResponses },
    })
