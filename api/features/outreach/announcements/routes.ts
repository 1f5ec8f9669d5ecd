import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { respondWithPage } from '#api/http/listing.ts'
import { session } from '#api/http/session.ts'
import {
  AdminAnnouncement,
  AdminAnnouncementList,
  AdminAnnouncementQuery,
  AnnouncementChange,
  AnnouncementRequest,
  TellingParams,
  VersionQuery,
  VersionRequest,
} from '#shared/contract/admin-announcement.ts'
import { DismissRequest, MemberAnnouncements } from '#shared/contract/announcement.ts'
import { Done } from '#shared/contract/auth.ts'
import { listAnnouncements } from './queries.ts'
import {
  announcementsOf,
  changeAnnouncement,
  createAnnouncement,
  dismissAnnouncements,
  endAnnouncement,
  removeAnnouncement,
} from './service.ts'

const defaultPage = 200

export const announcementRoutes = (ctx: Context) =>
  new Elysia({ name: 'announcements' })
    .use(session(ctx))
    .use(ownerRoutes(ctx))
    .get('/api/announcements', ({ member }) => announcementsOf(ctx, member), {
      member: true,
      response: { 200: MemberAnnouncements, ...errorResponses },
    })
    .put('/api/announcements/put-away', ({ member, body }) => dismissAnnouncements(ctx, member, body.ids), {
      member: true,
      body: DismissRequest,
      response: { 200: MemberAnnouncements, ...errorResponses },
    })

const ownerRoutes = (ctx: Context) =>
  new Elysia({ name: 'owner-announcements' })
    .use(session(ctx))
    .get(
      '/api/admin/announcements',
      ({ query, request, set }) =>
        respondWithPage({ request, set }, listAnnouncements(ctx, { ...query, limit: query.limit ?? defaultPage })),
      { owner: true, query: AdminAnnouncementQuery, response: { 200: AdminAnnouncementList, ...errorResponses } },
    )
    .post(
      '/api/admin/announcements',
      ({ owner, body, request: { headers } }) =>
        createAnnouncement(ctx, owner, { request: body, key: headers.get('idempotency-key') ?? undefined }),
      { owner: true, body: AnnouncementRequest, response: { 200: AdminAnnouncement, ...errorResponses } },
    )
    .patch(
      '/api/admin/announcements/:id',
      ({ owner, params, body }) => changeAnnouncement(ctx, owner, { ...params, change: body }),
      {
        owner: true,
        params: TellingParams,
        body: AnnouncementChange,
        response: { 200: AdminAnnouncement, ...errorResponses },
      },
    )
    .post(
      '/api/admin/announcements/:id/end',
      ({ owner, params, body }) => endAnnouncement(ctx, owner, { ...params, ...body }),
      {
        owner: true,
        params: TellingParams,
        body: VersionRequest,
        response: { 200: AdminAnnouncement, ...errorResponses },
      },
    )
    .delete(
      '/api/admin/announcements/:id',
      ({ owner, params, query }) => removeAnnouncement(ctx, owner, { ...params, ...query }),
      { owner: true, params: TellingParams, query: VersionQuery, response: { 200: Done, ...errorResponses } },
    )
