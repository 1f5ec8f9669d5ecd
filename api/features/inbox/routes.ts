import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { respondWithPage } from '#api/http/listing.ts'
import { session } from '#api/http/session.ts'
import { Done } from '#shared/contract/auth.ts'
import {
  AdminApplicationList,
  AdminApplicationQuery,
  AdminBookingList,
  AdminBookingQuery,
  AdminCoachingApplicationList,
  AdminCoachingApplicationQuery,
  ApplicationStatusRequest,
  BookingStatusRequest,
  ContactQuery,
  ContactRecordList,
  EnquiryParams,
  UpcomingBookingQuery,
} from '#shared/contract/dashboard.ts'
import {
  listApplications,
  listBookings,
  listCoachingApplications,
  listContacts,
  listUpcomingBookings,
} from './queries.ts'
import { deleteApplication, setApplicationStatus, setBookingStatus, setCoachingStatus } from './status-service.ts'

const limited = <Query extends { limit?: number | undefined }>(query: Query) => ({
  ...query,
  limit: query.limit ?? 200,
})

/** What came in by the public forms, for the owners. */
export const inboxRoutes = (ctx: Context) =>
  new Elysia({ name: 'inbox' })
    .use(session(ctx))
    .get(
      '/api/admin/membership-applications',
      ({ query, request, set }) => respondWithPage({ request, set }, listApplications(ctx, limited(query))),
      { owner: true, query: AdminApplicationQuery, response: { 200: AdminApplicationList, ...errorResponses } },
    )
    .get(
      '/api/admin/coaching-applications',
      ({ query, request, set }) => respondWithPage({ request, set }, listCoachingApplications(ctx, limited(query))),
      {
        owner: true,
        query: AdminCoachingApplicationQuery,
        response: { 200: AdminCoachingApplicationList, ...errorResponses },
      },
    )
    .get(
      '/api/admin/contacts',
      ({ query, request, set }) => respondWithPage({ request, set }, listContacts(ctx, limited(query))),
      { owner: true, query: ContactQuery, response: { 200: ContactRecordList, ...errorResponses } },
    )
    .get(
      '/api/admin/coaching-bookings',
      ({ query, request, set }) => respondWithPage({ request, set }, listBookings(ctx, limited(query))),
      { owner: true, query: AdminBookingQuery, response: { 200: AdminBookingList, ...errorResponses } },
    )
    .get(
      '/api/admin/coaching-bookings/upcoming',
      ({ query, request, set }) => respondWithPage({ request, set }, listUpcomingBookings(ctx, limited(query))),
      { owner: true, query: UpcomingBookingQuery, response: { 200: AdminBookingList, ...errorResponses } },
    )
    .patch(
      '/api/admin/membership-applications/:id/status',
      ({ owner, params, body }) => setApplicationStatus(ctx, owner, { ...params, ...body }),
      {
        owner: true,
        params: EnquiryParams,
        body: ApplicationStatusRequest,
        response: { 200: Done, ...errorResponses },
      },
    )
    .patch(
      '/api/admin/coaching-applications/:id/status',
      ({ owner, params, body }) => setCoachingStatus(ctx, owner, { ...params, ...body }),
      {
        owner: true,
        params: EnquiryParams,
        body: ApplicationStatusRequest,
        response: { 200: Done, ...errorResponses },
      },
    )
    .patch(
      '/api/admin/coaching-bookings/:id/status',
      ({ owner, params, body }) => setBookingStatus(ctx, owner, { ...params, ...body }),
      { owner: true, params: EnquiryParams, body: BookingStatusRequest, response: { 200: Done, ...errorResponses } },
    )
    .delete('/api/admin/membership-applications/:id', ({ owner, params }) => deleteApplication(ctx, owner, params.id), {
      owner: true,
      params: EnquiryParams,
      response: { 200: Done, ...errorResponses },
    })
