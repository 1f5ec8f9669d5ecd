import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { photosForOwners } from '#api/features/accounts/photo-queries.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { respondWithPage } from '#api/http/listing.ts'
import { session } from '#api/http/session.ts'
import { Done } from '#shared/contract/auth.ts'
import {
  AdminCall,
  AdminCallList,
  AdminCallQuery,
  CallAgreementRequest,
  CallAllowanceRequest,
  CallDaysRequest,
  CallHours,
  CallParams,
  CallRules,
  CallSetup,
  Created,
  MoveCallRequest,
} from '#shared/contract/calendar.ts'
import { CallAgreement } from '#shared/contract/member-calls.ts'
import {
  AskToBookParams,
  AskToBookRequest,
  CallFeedList,
  CallFeedRequest,
  CallFeedResponse,
  CallMorning,
  CallMorningList,
  CallWeek,
  MonthlyCallList,
  MonthlyCallQuery,
} from '#shared/contract/owner-calendar.ts'
import { cancelCall, moveCall } from './change-service.ts'
import { createFeed, renewFeed, revokeFeed } from './ics-service.ts'
import { readAgreement, toAgreement, writeAgreement } from './member-calls-service.ts'
import { askToBook, listMonthlyCalls } from './monthly-service.ts'
import { listMornings, setMorning } from './morning-service.ts'
import { type Call, callsBetween, coachNames } from './queries.ts'
import {
  addDaysOff,
  allowCall,
  deleteDaysOff,
  listFeeds,
  readSetup,
  setHours,
  setRules,
  setWeek,
} from './setup-service.ts'

/** Why none of these asks for the password again. */
const unasked = 'the person who booked a call is told, and it can be moved again'

export const ownerCalendarRoutes = (ctx: Context) =>
  new Elysia({ name: 'owner-calendar', tags: ['Calendar'] })
    .use(session(ctx))
    .get('/api/admin/calendar', () => readSetup(ctx), {
      owner: true,
      says: 'Shows every coach’s hours, rules and days off.',
      response: { 200: CallSetup, ...errorResponses },
    })
    .put('/api/admin/calendar/hours', ({ owner, body }) => setHours(ctx, owner, body), {
      owner: unasked,
      says: 'Sets a coach’s hours on a weekday.',
      audit: 'calendar.hours',
      body: CallHours,
      response: { 200: CallHours, ...errorResponses },
    })
    .put('/api/admin/calendar/rules', ({ owner, body }) => setRules(ctx, owner, body), {
      owner: unasked,
      says: 'Sets how long a kind of call takes and how early it’s booked.',
      audit: 'calendar.rules',
      body: CallRules,
      response: { 200: CallRules, ...errorResponses },
    })
    .put('/api/admin/calendar/weeks', ({ owner, body }) => setWeek(ctx, owner, body), {
      owner: unasked,
      says: 'Sets a coach’s hours for a whole week.',
      audit: 'calendar.hours',
      body: CallWeek,
      response: { 200: CallWeek, ...errorResponses },
    })
    .post('/api/admin/calendar/days', ({ owner, body }) => addDaysOff(ctx, owner, body), {
      owner: unasked,
      says: 'Adds days off, or days with other hours.',
      audit: 'calendar.days',
      body: CallDaysRequest,
      response: { 200: Created, ...errorResponses },
    })
    .delete('/api/admin/calendar/days/:id', ({ owner, params }) => deleteDaysOff(ctx, owner, params.id), {
      owner: unasked,
      says: 'Removes days off.',
      audit: 'calendar.days-deleted',
      params: CallParams,
      response: { 200: Done, ...errorResponses },
    })
    .post('/api/admin/calendar/allowances', ({ owner, body }) => allowCall(ctx, owner, body), {
      owner: unasked,
      says: 'Gives a member one more call in a month.',
      audit: 'calendar.call-added',
      body: CallAllowanceRequest,
      response: { 200: Done, ...errorResponses },
    })

export const ownerCallRoutes = (ctx: Context) =>
  new Elysia({ name: 'owner-calls', tags: ['Calendar'] })
    .use(session(ctx))
    .get('/api/admin/calendar/calls', ({ query }) => listCalls(ctx, query), {
      owner: true,
      says: 'Lists booked calls.',
      query: AdminCallQuery,
      response: { 200: AdminCallList, ...errorResponses },
    })
    .post(
      '/api/admin/calendar/calls/:id/move',
      ({ owner, params, body }) => toAdminCall(ctx, moveCall(ctx, owner, { ...params, ...body })),
      {
        owner: unasked,
        says: 'Moves a call and tells the person who booked it.',
        audit: 'call.moved',
        params: CallParams,
        body: MoveCallRequest,
        response: { 200: AdminCall, ...errorResponses },
      },
    )
    .post(
      '/api/admin/calendar/calls/:id/cancel',
      ({ owner, params }) => toAdminCall(ctx, cancelCall(ctx, owner, params.id)),
      {
        owner: unasked,
        says: 'Cancels a call and tells the person who booked it.',
        audit: 'call.cancelled',
        params: CallParams,
        response: { 200: AdminCall, ...errorResponses },
      },
    )

export const calendarNewsRoutes = (ctx: Context) =>
  new Elysia({ name: 'calendar-news', tags: ['Calendar'] })
    .use(session(ctx))
    .get('/api/admin/calendar/mornings', () => listMornings(ctx), {
      owner: true,
      says: 'Shows who gets the morning email with the day’s calls.',
      response: { 200: CallMorningList, ...errorResponses },
    })
    .put('/api/admin/calendar/mornings', ({ owner, body }) => setMorning(ctx, owner, body), {
      owner: unasked,
      says: 'Sets up a coach’s morning email.',
      audit: 'calendar.morning',
      body: CallMorning,
      response: { 200: CallMorning, ...errorResponses },
    })
    .get('/api/admin/calendar/feeds', () => listFeeds(ctx), {
      owner: true,
      says: 'Lists the links for calendar apps.',
      response: { 200: CallFeedList, ...errorResponses },
    })
    .post('/api/admin/calendar/feeds', ({ owner, body }) => createFeed(ctx, owner, body.coach), {
      owner: 'the feed has times and first names alone, and can be ended',
      says: 'Makes a link for a calendar app.',
      audit: 'calendar.feed',
      body: CallFeedRequest,
      response: { 200: CallFeedResponse, ...errorResponses },
    })
    .post('/api/admin/calendar/feeds/:id/renew', ({ owner, params }) => renewFeed(ctx, owner, params.id), {
      owner: 'the feed has times and first names alone, and can be ended',
      says: 'Replaces a link, so the old one stops.',
      audit: 'calendar.feed-renewed',
      params: CallParams,
      response: { 200: CallFeedResponse, ...errorResponses },
    })
    .delete('/api/admin/calendar/feeds/:id', ({ owner, params }) => revokeFeed(ctx, owner, params.id), {
      owner: 'it gives a right back',
      says: 'Removes a link for a calendar app.',
      audit: 'calendar.feed-revoked',
      params: CallParams,
      response: { 200: Done, ...errorResponses },
    })

export const memberCallRoutes = (ctx: Context) =>
  new Elysia({ name: 'owner-member-calls', tags: ['Calendar'] })
    .use(session(ctx))
    .get(
      '/api/admin/calendar/monthly',
      ({ query, request, set }) =>
        respondWithPage({ request, set }, listMonthlyCalls(ctx, { ...query, limit: query.limit ?? 200 })),
      {
        owner: true,
        apart: 'report',
        says: 'Lists who has their monthly call and who hasn’t.',
        query: MonthlyCallQuery,
        response: { 200: MonthlyCallList, ...errorResponses },
      },
    )
    .post(
      '/api/admin/calendar/monthly/:memberId/ask',
      ({ owner, params, body }) => askToBook(ctx, owner, { ...params, ...body }),
      {
        owner: unasked,
        says: 'Emails a member to book their monthly call.',
        audit: 'call.asked',
        params: AskToBookParams,
        body: AskToBookRequest,
        response: { 200: Done, ...errorResponses },
      },
    )
    .get('/api/admin/calendar/calls/:id/agreed', ({ params }) => readAgreement(ctx, params.id), {
      owner: true,
      says: 'Shows what was agreed in a call.',
      params: CallParams,
      response: { 200: CallAgreement, ...errorResponses },
    })
    .put(
      '/api/admin/calendar/calls/:id/agreed',
      ({ owner, params, body }) => writeAgreement(ctx, owner, { ...params, ...body }),
      {
        owner: unasked,
        says: 'Changes what was agreed in a call.',
        audit: 'call.agreed',
        params: CallParams,
        body: CallAgreementRequest,
        response: { 200: CallAgreement, ...errorResponses },
      },
    )

function listCalls(ctx: Context, query: AdminCallQuery): AdminCall[] {
  const nameOf = coachNames(ctx)
  const calls = callsBetween(ctx, query)
  const photos = photosForOwners(ctx, calls.map(accountOf))
  return calls.map((call) => toAdminCall(ctx, call, { nameOf, photos }))
}

const accountOf = ({ userId }: Call) => userId ?? ''

const toAdminCall = (
  ctx: Context,
  call: Call,
  { nameOf, photos } = { nameOf: coachNames(ctx), photos: photosForOwners(ctx, [accountOf(call)]) },
): AdminCall => ({
  id: call.id,
  kind: call.kind,
  coach: call.coach,
  coachName: nameOf(call.coach),
  memberId: call.userId,
  photo: photos.get(accountOf(call)) ?? null,
  name: call.name,
  email: call.email,
  phone: call.phone,
  startsAt: call.startsAt,
  minutes: call.duration,
  status: call.status,
  notes: call.notes,
  agreement: toAgreement(call),
})
