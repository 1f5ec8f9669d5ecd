import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { fileOf } from '#api/http/file-answer.ts'
import { respondWithPage } from '#api/http/listing.ts'
import { session } from '#api/http/session.ts'
import { OutreachParams, VersionQuery } from '#shared/contract/admin-announcement.ts'
import { LegalNotice, LegalPageParams, LegalTold } from '#shared/contract/admin-content.ts'
import { Done } from '#shared/contract/auth.ts'
import {
  AudienceCount,
  AudienceList,
  AudienceQuery,
  Mailing,
  MailingChange,
  MailingList,
  MailingMember,
  MailingQuery,
  MailingRecipientList,
  MailingRecipientQuery,
  MailingRequest,
  MailingTrial,
  ScheduleMailing,
  SendMailing,
  segmentOf,
} from '#shared/contract/mailing.ts'
import { countAudience, listAudience } from './audience-queries.ts'
import { previewMailing, testMailing } from './mails.ts'
import { listMailings, listRecipients } from './queries.ts'
import {
  changeMailing,
  changeMailingStatus,
  createMailing,
  readMailing,
  removeMailing,
  scheduleMailing,
  sendOff,
  unscheduleMailing,
} from './service.ts'
import { tellOfLegalChange } from './tell-service.ts'

const defaultPage = 200
const withLimit = <Query extends { limit?: number | undefined }>(query: Query) => ({
  ...query,
  limit: query.limit ?? defaultPage,
})

export const mailingRoutes = (ctx: Context) =>
  new Elysia({ name: 'mailings', tags: ['Marketing'] })
    .use(session(ctx))
    .use(sendingRoutes(ctx))
    .post(
      '/api/admin/content/:page/tell',
      ({ owner, params: { page }, body }) => tellOfLegalChange(ctx, owner, { ...body, page }),
      {
        owner: 'asks when more than one person gets it',
        says: 'Emails members about a change to a legal page.',
        audit: 'content.told',
        tags: ['Content'],
        params: LegalPageParams,
        body: LegalNotice,
        response: { 200: LegalTold, ...errorResponses },
      },
    )
    .get(
      '/api/admin/mailings',
      ({ query, request, set }) => respondWithPage({ request, set }, listMailings(ctx, withLimit(query))),
      { owner: true, says: 'Lists campaigns.', query: MailingQuery, response: { 200: MailingList, ...errorResponses } },
    )
    .post(
      '/api/admin/mailings',
      ({ owner, body, request: { headers } }) =>
        createMailing(ctx, owner, { request: body, key: headers.get('idempotency-key') ?? undefined }),
      {
        owner: 'plain words of ours, which can be stopped',
        says: 'Adds a campaign as a draft.',
        audit: 'mailing.added',
        body: MailingRequest,
        response: { 200: Mailing, ...errorResponses },
      },
    )
    .get('/api/admin/mailings/:id', ({ params }) => readMailing(ctx, params.id), {
      owner: true,
      says: 'Shows a campaign and how its sending goes.',
      params: OutreachParams,
      response: { 200: Mailing, ...errorResponses },
    })
    .patch('/api/admin/mailings/:id', ({ owner, params, body }) => changeMailing(ctx, owner, params.id, body), {
      owner: 'plain words of ours, which can be stopped',
      says: 'Changes a campaign that hasn’t been sent.',
      audit: 'mailing.changed',
      params: OutreachParams,
      body: MailingChange,
      response: { 200: Mailing, ...errorResponses },
    })
    .delete(
      '/api/admin/mailings/:id',
      ({ owner, params, query }) => removeMailing(ctx, owner, params.id, query.version),
      {
        owner: 'the owners put it up themselves',
        says: 'Deletes a draft campaign.',
        audit: 'mailing.removed',
        params: OutreachParams,
        query: VersionQuery,
        response: { 200: Done, ...errorResponses },
      },
    )
    .get(
      '/api/admin/mailing-audience',
      ({ query, request, set }) => respondWithPage({ request, set }, listAudience(ctx, withLimit(query))),
      {
        owner: true,
        apart: 'report',
        says: 'Lists who an audience includes now.',
        query: AudienceQuery,
        response: { 200: AudienceList, ...errorResponses },
      },
    )
    .get('/api/admin/mailing-audience/count', ({ query }) => countAudience(ctx, segmentOf(query), query.purpose), {
      owner: true,
      apart: 'report',
      says: 'Counts an audience.',
      query: AudienceQuery,
      response: { 200: AudienceCount, ...errorResponses },
    })

const sendingRoutes = (ctx: Context) =>
  new Elysia({ name: 'mailing-sending', tags: ['Marketing'] })
    .use(session(ctx))
    .get('/api/admin/mailings/:id/preview', ({ params, query }) => previewMailing(ctx, { ...params, ...query }), {
      owner: true,
      says: 'Shows a campaign as a member gets it.',
      params: OutreachParams,
      query: MailingMember,
      response: { 200: fileOf('text/html'), ...errorResponses },
    })
    .post(
      '/api/admin/mailings/:id/test',
      ({ owner, params, body }) => testMailing(ctx, owner, { ...params, ...body }),
      {
        owner: 'it goes to the owner who asks',
        says: 'Emails you a test of a campaign.',
        audit: 'mailing.tested',
        params: OutreachParams,
        body: MailingTrial,
        response: { 200: Done, ...errorResponses },
      },
    )
    .post('/api/admin/mailings/:id/send', ({ owner, params, body }) => sendOff(ctx, owner, { ...params, ...body }), {
      owner: 'asks when more than one person gets it',
      says: 'Sends a campaign to its audience.',
      audit: 'mailing.sent',
      params: OutreachParams,
      body: SendMailing,
      response: { 200: Mailing, ...errorResponses },
    })
    .post(
      '/api/admin/mailings/:id/schedule',
      ({ owner, params, body }) => scheduleMailing(ctx, owner, { ...params, ...body }),
      {
        provenOwner: true,
        says: 'Schedules a campaign, or moves it to another time.',
        audit: 'mailing.scheduled',
        params: OutreachParams,
        body: ScheduleMailing,
        response: { 200: Mailing, ...errorResponses },
      },
    )
    .post('/api/admin/mailings/:id/unschedule', ({ owner, params }) => unscheduleMailing(ctx, owner, params.id), {
      owner: 'plain words of ours, which can be stopped',
      says: 'Makes a scheduled campaign a draft again.',
      audit: 'mailing.unscheduled',
      params: OutreachParams,
      response: { 200: Mailing, ...errorResponses },
    })
    .post('/api/admin/mailings/:id/pause', ({ owner, params }) => changeMailingStatus(ctx, owner, params.id, 'pause'), {
      owner: 'plain words of ours, which can be stopped',
      says: 'Pauses a campaign.',
      audit: 'mailing.paused',
      params: OutreachParams,
      response: { 200: Mailing, ...errorResponses },
    })
    .post(
      '/api/admin/mailings/:id/resume',
      ({ owner, params }) => changeMailingStatus(ctx, owner, params.id, 'resume'),
      {
        owner: 'asks when more than one person gets it',
        says: 'Resumes a paused campaign.',
        audit: 'mailing.resumed',
        params: OutreachParams,
        response: { 200: Mailing, ...errorResponses },
      },
    )
    .post('/api/admin/mailings/:id/stop', ({ owner, params }) => changeMailingStatus(ctx, owner, params.id, 'stop'), {
      owner: 'plain words of ours, which can be stopped',
      says: 'Stops a campaign for good.',
      audit: 'mailing.stopped',
      params: OutreachParams,
      response: { 200: Mailing, ...errorResponses },
    })
    .get(
      '/api/admin/mailings/:id/people',
      ({ params, query, request, set }) =>
        respondWithPage({ request, set }, listRecipients(ctx, { ...withLimit(query), ...params })),
      {
        owner: true,
        apart: 'list',
        says: 'Lists who a campaign goes to, and who got it.',
        params: OutreachParams,
        query: MailingRecipientQuery,
        response: { 200: MailingRecipientList, ...errorResponses },
      },
    )
