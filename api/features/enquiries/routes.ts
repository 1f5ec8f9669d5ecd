import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { limitPublicForm } from '#api/http/limits.ts'
import { session } from '#api/http/session.ts'
import { CoachingApplicationRequest, CoachingApplicationResponse } from '#shared/contract/coaching.ts'
import { CoachingBookingRequest, CoachingBookingResponse } from '#shared/contract/coaching-booking.ts'
import { ContactRequest, ContactResponse } from '#shared/contract/contact.ts'
import { applyForCoaching, bookCoachingCall, leaveMessage } from './service.ts'

type Asked<Body> = { body: Body; address: string; request: Request }

/** Takes an enquiry in once, counted against the limit of its form. */
const taking =
  <Body, Answer>(ctx: Context, form: string, take: (ctx: Context, body: Body, key: string | undefined) => Answer) =>
  ({ body, address, request }: Asked<Body>): Answer => {
    limitPublicForm(ctx, form, address)
    return take(ctx, body, request.headers.get('idempotency-key') ?? undefined)
  }

export const enquiryRoutes = (ctx: Context) =>
  new Elysia({ name: 'enquiries' })
    .use(session(ctx))
    .post('/api/coaching-application', taking(ctx, 'coaching-application', applyForCoaching), {
      visitor: true,
      body: CoachingApplicationRequest,
      response: { 200: CoachingApplicationResponse, ...errorResponses },
    })
    .post('/api/coaching-bookings', taking(ctx, 'coaching-bookings', bookCoachingCall), {
      visitor: true,
      body: CoachingBookingRequest,
      response: { 200: CoachingBookingResponse, ...errorResponses },
    })
    .post('/api/contact', taking(ctx, 'contact', leaveMessage), {
      visitor: true,
      body: ContactRequest,
      response: { 200: ContactResponse, ...errorResponses },
    })
