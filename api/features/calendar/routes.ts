import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { notFound } from '#api/errors.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { fileOf } from '#api/http/file-answer.ts'
import { session } from '#api/http/session.ts'
import { taggedResponse, toTaggedJson } from '#api/serving/kept-answers.ts'
import {
  CallAgreementRequest,
  CallKindParams,
  CallLinkQuery,
  CallParams,
  CallSlotsQuery,
  CallSlotsResponse,
  LinkedCall,
  LinkedCallSlots,
  MemberCallRequest,
  MemberCallResponse,
  MoveLinkedCallRequest,
  VisitorCallRequest,
  VisitorCallResponse,
} from '#shared/contract/calendar.ts'
import { CallAgreement, MemberCalls } from '#shared/contract/member-calls.ts'
import { CallFeedParams } from '#shared/contract/owner-calendar.ts'
import { bookMemberCall, confirmCall, holdVisitorCall } from './booking-service.ts'
import { cancelLinkedCall, moveLinkedCall, readLinkedCall, slotsForMove, toLinkedCall } from './change-service.ts'
import { callIcs, readFeed } from './ics-service.ts'
import { callOfToken } from './link-service.ts'
import { readMemberCalls, writeOwnAgreement } from './member-calls-service.ts'
import { calendarNewsRoutes, memberCallRoutes, ownerCalendarRoutes, ownerCallRoutes } from './owner-routes.ts'
import { readSlots } from './slots-service.ts'

const keyOf = (request: Request) => request.headers.get('idempotency-key') ?? undefined

/** Our own calendar: free times, booking and the mailed links. A link's GET only shows; POST acts. */
export const calendarRoutes = (ctx: Context) =>
  new Elysia({ name: 'calendar', tags: ['Booking a call'] })
    .use(session(ctx))
    .use(ownerCalendarRoutes(ctx))
    .use(ownerCallRoutes(ctx))
    .use(calendarNewsRoutes(ctx))
    .use(memberCallRoutes(ctx))
    .get('/api/calendar/slots/:kind', ({ person, params, query }) => readSlots(ctx, person, { ...params, ...query }), {
      visitor: true,
      says: 'Lists the free times for a kind of call.',
      params: CallKindParams,
      query: CallSlotsQuery,
      response: { 200: CallSlotsResponse, ...errorResponses },
    })
    .get(
      '/api/calendar/mine',
      ({ member, request, set }) =>
        taggedResponse({ request, set }, toTaggedJson(MemberCalls, readMemberCalls(ctx, member))),
      {
        member: true,
        says: 'Lists your calls, and shows the next one.',
        response: { 200: MemberCalls, ...errorResponses },
      },
    )
    .put(
      '/api/calendar/mine/:id/agreed',
      ({ member, params, body }) => writeOwnAgreement(ctx, member, { ...params, ...body }),
      {
        member: true,
        says: 'Changes what was agreed in your call.',
        params: CallParams,
        body: CallAgreementRequest,
        response: { 200: CallAgreement, ...errorResponses },
      },
    )
    .post('/api/calendar/calls', ({ member, body, request }) => bookMemberCall(ctx, member, body, keyOf(request)), {
      member: true,
      says: 'Books a member’s call.',
      body: MemberCallRequest,
      response: { 200: MemberCallResponse, ...errorResponses },
    })
    .post(
      '/api/calendar/holds',
      ({ body, address, request }) => holdVisitorCall(ctx, { body, address }, keyOf(request)),
      {
        visitor: true,
        says: 'Holds a time for a visitor and emails a link to confirm it.',
        body: VisitorCallRequest,
        response: { 200: VisitorCallResponse, ...errorResponses },
      },
    )
    .get('/api/calendar/call', ({ query }) => readLinkedCall(ctx, query.token), {
      open: true,
      says: 'Shows the call an emailed link belongs to.',
      query: CallLinkQuery,
      response: { 200: LinkedCall, ...errorResponses },
    })
    .get('/api/calendar/call/slots', ({ query }) => slotsForMove(ctx, query.token), {
      open: true,
      says: 'Lists the times that call can move to.',
      query: CallLinkQuery,
      response: { 200: LinkedCallSlots, ...errorResponses },
    })
    .get(
      '/api/calendar/call.ics',
      async ({ query, set }) => {
        const ics = await callIcs(ctx, callOfToken(ctx, query.token).id)
        if (ics === null) throw notFound('This call')
        Object.assign(set.headers, icsHeaders, { 'content-disposition': 'attachment; filename="call.ics"' })
        return ics
      },
      {
        open: true,
        says: 'Downloads the call for your own diary.',
        query: CallLinkQuery,
        response: { 200: fileOf('text/calendar'), ...errorResponses },
      },
    )
    .post('/api/calendar/call/confirm', ({ body }) => toLinkedCall(ctx, confirmCall(ctx, body.token)), {
      visitor: true,
      says: 'Confirms a held call with the emailed link.',
      body: CallLinkQuery,
      response: { 200: LinkedCall, ...errorResponses },
    })
    .post('/api/calendar/call/move', ({ body }) => moveLinkedCall(ctx, body), {
      visitor: true,
      says: 'Moves the call with the emailed link.',
      body: MoveLinkedCallRequest,
      response: { 200: LinkedCall, ...errorResponses },
    })
    .post('/api/calendar/call/cancel', ({ body }) => cancelLinkedCall(ctx, body.token), {
      visitor: true,
      says: 'Cancels the call with the emailed link.',
      body: CallLinkQuery,
      response: { 200: LinkedCall, ...errorResponses },
    })
    .get(
      '/api/calendar/feeds/:feed',
      ({ params, set }) => {
        const ics = readFeed(ctx, params.feed)
        Object.assign(set.headers, icsHeaders)
        return ics
      },
      {
        open: true,
        says: 'Returns a coach’s calls for their own calendar app.',
        params: CallFeedParams,
        response: { 200: fileOf('text/calendar'), ...errorResponses },
      },
    )

const icsHeaders = { 'content-type': 'text/calendar; charset=utf-8' }
