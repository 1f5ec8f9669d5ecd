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
  OutreachParams,
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
  new Elysia({ name: 'announcements', tags: ['Watching videos'] })
    .use(session(ctx))
    .use(ownerRoutes(ctx))
    .get('/api/announcements', ({ member }) => announcementsOf(ctx, member), {
      member: true,
      says: 'Lists the announcements on your dashboard.',
      response: { 200: MemberAnnouncements, ...errorResponses },
    })
    .put('/api/announcements/put-away', ({ member, body }) => dismissAnnouncements(ctx, member, body.ids), {
      member: true,
      says: 'Hides announcements you’ve read.',
      body: DismissRequest,
      response: { 200: MemberAnnouncements, ...errorResponses },
    })

const ownerRoutes = (ctx: Context) =>
  new Elysia({ name: 'owner-announcements', tags: ['Marketing'] })
    .use(session(ctx))
    .get(
      '/api/admin/announcements',
      ({ query, request, set }) =>
        respondWithPage({ request, set }, listAnnouncements(ctx, { ...query, limit: query.limit ?? defaultPage })),
      {
        owner: true,
        says: 'Lists announcements.',
        query: AdminAnnouncementQuery,
        response: { 200: AdminAnnouncementList, ...errorResponses },
      },
    )
    .post(
      '/api/admin/announcements',
      ({ owner, body, request: { headers } }) =>
        createAnnouncement(ctx, owner, { request: body, key: headers.get('idempotency-key') ?? undefined }),
      {
        owner: 'plain words of ours, which can be stopped',
        says: 'Adds an announcement to the members’ dashboard.',
        audit: 'announcement.added',
        body: AnnouncementRequest,
        response: { 200: AdminAnnouncement, ...errorResponses },
      },
    )
    .patch(
      '/api/admin/announcements/:id',
      ({ owner, params, body }) => changeAnnouncement(ctx, owner, { ...params, change: body }),
      {
        owner: 'plain words of ours, which can be stopped',
        says: 'Changes an announcement.',
        audit: 'announcement.changed',
        params: OutreachParams,
        body: AnnouncementChange,
        response: { 200: AdminAnnouncement, ...errorResponses },
      },
    )
    .post(
      '/api/admin/announcements/:id/end',
      ({ owner, params, body }) => endAnnouncement(ctx, owner, { ...params, ...body }),
      {
        owner: 'plain words of ours, which can be stopped',
        says: 'Ends an announcement now.',
        audit: 'announcement.ended',
        params: OutreachParams,
        body: VersionRequest,
        response: { 200: AdminAnnouncement, ...errorResponses },
      },
    )
    .delete(
      '/api/admin/announcements/:id',
      ({ owner, params, query }) => removeAnnouncement(ctx, owner, { ...params, ...query }),
      {
        owner: 'the owners put it up themselves',
        says: 'Deletes an announcement.',
        audit: 'announcement.removed',
        params: OutreachParams,
        query: VersionQuery,
        response: { 200: Done, ...errorResponses },
      },
    )
