import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { session } from '#api/http/session.ts'
import { limitPublicForm } from '#api/serving/rate-limits.ts'
import { CoachingApplicationRequest, CoachingApplicationResponse } from '#shared/contract/coaching.ts'
import { CoachingBookingRequest, CoachingBookingResponse } from '#shared/contract/coaching-booking.ts'
import { ContactRequest, ContactResponse } from '#shared/contract/contact.ts'
import { applyForCoaching, bookCoachingCall, sendContactMessage } from './service.ts'

type FormRequest<Body> = { body: Body; address: string; request: Request }

/** Counts the request against its form's rate limit and stores it once per Idempotency-Key. */
const formHandler =
  <Body, Result>(ctx: Context, form: string, store: (ctx: Context, body: Body, key: string | undefined) => Result) =>
  ({ body, address, request }: FormRequest<Body>): Result => {
    limitPublicForm(ctx, form, address)
    return store(ctx, body, request.headers.get('idempotency-key') ?? undefined)
  }

export const enquiryRoutes = (ctx: Context) =>
  new Elysia({ name: 'enquiries', tags: ['Getting in touch'] })
    .use(session(ctx))
    .post('/api/coaching-application', formHandler(ctx, 'coaching-application', applyForCoaching), {
      visitor: true,
      says: 'Sends an application for coaching.',
      body: CoachingApplicationRequest,
      response: { 200: CoachingApplicationResponse, ...errorResponses },
    })
    .post('/api/coaching-bookings', formHandler(ctx, 'coaching-bookings', bookCoachingCall), {
      visitor: true,
      says: 'Asks for a coaching call at a time of your own.',
      body: CoachingBookingRequest,
      response: { 200: CoachingBookingResponse, ...errorResponses },
    })
    .post('/api/contact', formHandler(ctx, 'contact', sendContactMessage), {
      visitor: true,
      says: 'Sends a message to the owners.',
      body: ContactRequest,
      response: { 200: ContactResponse, ...errorResponses },
    })
