import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { respondWithPage } from '#api/http/listing.ts'
import { session } from '#api/http/session.ts'
import { Done } from '#shared/contract/auth.ts'
import {
  CanInvite,
  InboxNote,
  InboxNoteChange,
  InboxNoteList,
  InboxNoteParams,
  InboxNoteRequest,
  InboxParams,
  InboxReplyRequest,
  InvitationRequest,
  InvitationResponse,
} from '#shared/contract/inbox.ts'
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
} from '#shared/contract/inbox-entries.ts'
import { listContacts } from './contact-queries.ts'
import { canInvite, inviteToJoin } from './invitation-service.ts'
import { addNote, changeNote, listNotes, replyToSender } from './notes-service.ts'
import { listApplications, listBookings, listCoachingApplications, listUpcomingBookings } from './queries.ts'
import { deleteApplication, setApplicationStatus, setBookingStatus, setCoachingStatus } from './status-service.ts'

const limited = <Query extends { limit?: number | undefined }>(query: Query) => ({
  ...query,
  limit: query.limit ?? 200,
})

export const inboxRoutes = (ctx: Context) =>
  new Elysia({ name: 'inbox', tags: ['Inbox'] })
    .use(session(ctx))
    .get(
      '/api/admin/membership-applications',
      ({ query, request, set }) => respondWithPage({ request, set }, listApplications(ctx, limited(query))),
      {
        owner: true,
        apart: 'list',
        says: 'Lists membership applications.',
        query: AdminApplicationQuery,
        response: { 200: AdminApplicationList, ...errorResponses },
      },
    )
    .get(
      '/api/admin/coaching-applications',
      ({ query, request, set }) => respondWithPage({ request, set }, listCoachingApplications(ctx, limited(query))),
      {
        owner: true,
        apart: 'list',
        says: 'Lists applications for coaching.',
        query: AdminCoachingApplicationQuery,
        response: { 200: AdminCoachingApplicationList, ...errorResponses },
      },
    )
    .get(
      '/api/admin/contacts',
      ({ query, request, set }) => respondWithPage({ request, set }, listContacts(ctx, limited(query))),
      {
        owner: true,
        apart: 'list',
        says: 'Lists messages from the contact form.',
        query: ContactQuery,
        response: { 200: ContactRecordList, ...errorResponses },
      },
    )
    .get(
      '/api/admin/coaching-bookings',
      ({ query, request, set }) => respondWithPage({ request, set }, listBookings(ctx, limited(query))),
      {
        owner: true,
        apart: 'list',
        says: 'Lists coaching calls.',
        query: AdminBookingQuery,
        response: { 200: AdminBookingList, ...errorResponses },
      },
    )
    .get(
      '/api/admin/coaching-bookings/upcoming',
      ({ query, request, set }) => respondWithPage({ request, set }, listUpcomingBookings(ctx, limited(query))),
      {
        owner: true,
        apart: 'list',
        says: 'Lists the coaching calls still to come.',
        query: UpcomingBookingQuery,
        response: { 200: AdminBookingList, ...errorResponses },
      },
    )
    .patch(
      '/api/admin/membership-applications/:id/status',
      ({ owner, params, body }) => setApplicationStatus(ctx, owner, { ...params, ...body }),
      {
        owner: 'the owners’ own record of what was done',
        says: 'Changes the status of a membership application.',
        audit: 'membership-application.status',
        params: EnquiryParams,
        body: ApplicationStatusRequest,
        response: { 200: Done, ...errorResponses },
      },
    )
    .patch(
      '/api/admin/coaching-applications/:id/status',
      ({ owner, params, body }) => setCoachingStatus(ctx, owner, { ...params, ...body }),
      {
        owner: 'the owners’ own record of what was done',
        says: 'Changes the status of a coaching application.',
        audit: 'coaching-application.status',
        params: EnquiryParams,
        body: ApplicationStatusRequest,
        response: { 200: Done, ...errorResponses },
      },
    )
    .patch(
      '/api/admin/coaching-bookings/:id/status',
      ({ owner, params, body }) => setBookingStatus(ctx, owner, { ...params, ...body }),
      {
        owner: 'the owners’ own record of what was done',
        says: 'Changes the status of a coaching call.',
        audit: 'coaching-booking.status',
        params: EnquiryParams,
        body: BookingStatusRequest,
        response: { 200: Done, ...errorResponses },
      },
    )
    .delete('/api/admin/membership-applications/:id', ({ owner, params }) => deleteApplication(ctx, owner, params.id), {
      owner: 'its sender can send it again',
      says: 'Deletes a membership application for good.',
      audit: 'membership-application.deleted',
      params: EnquiryParams,
      response: { 200: Done, ...errorResponses },
    })
    .get('/api/admin/inbox/:kind/:id/notes', ({ params }) => listNotes(ctx, params), {
      owner: true,
      says: 'Lists the notes and replies on an entry.',
      params: InboxParams,
      response: { 200: InboxNoteList, ...errorResponses },
    })
    .post(
      '/api/admin/inbox/:kind/:id/notes',
      ({ owner, params, body }) => addNote(ctx, owner, { ...params, ...body }),
      {
        owner: 'the owners’ own record of what was done',
        says: 'Adds a note only owners see.',
        audit: 'inbox.note',
        params: InboxParams,
        body: InboxNoteRequest,
        response: { 200: InboxNoteList, ...errorResponses },
      },
    )
    .patch(
      '/api/admin/inbox/:kind/:id/notes/:noteId',
      ({ owner, params, body }) => changeNote(ctx, owner, { ...params, ...body }),
      {
        owner: 'the owners’ own record of what was done',
        says: 'Changes a note.',
        audit: 'inbox.note_changed',
        params: InboxNoteParams,
        body: InboxNoteChange,
        response: { 200: InboxNote, ...errorResponses },
      },
    )
    .post(
      '/api/admin/inbox/:kind/:id/reply',
      ({ owner, params, body }) => replyToSender(ctx, owner, { ...params, ...body }),
      {
        owner: 'asks when more than one person gets it',
        says: 'Emails a reply to the sender and keeps it.',
        audit: 'inbox.reply',
        params: InboxParams,
        body: InboxReplyRequest,
        response: { 200: InboxNoteList, ...errorResponses },
      },
    )
    .get('/api/admin/inbox/:kind/:id/invitation', ({ params }) => canInvite(ctx, params), {
      owner: true,
      says: 'Says whether the sender can be invited to join.',
      params: InboxParams,
      response: { 200: CanInvite, ...errorResponses },
    })
    .post(
      '/api/admin/inbox/:kind/:id/invitation',
      ({ owner, params, body }) => inviteToJoin(ctx, owner, { ...params, ...body }),
      {
        owner: 'it gives no access, and goes to the one who wrote',
        says: 'Emails the sender an invitation to join.',
        audit: 'inbox.invitation',
        params: InboxParams,
        body: InvitationRequest,
        response: { 200: InvitationResponse, ...errorResponses },
      },
    )
