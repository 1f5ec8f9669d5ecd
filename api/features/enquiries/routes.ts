import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { refusals } from '#api/http/answers.ts'
import { limitPublicForm } from '#api/http/limits.ts'
import { session } from '#api/http/session.ts'
import { CoachingApplicationAnswer, CoachingApplicationRequest } from '#shared/contract/coaching.ts'
import { CoachingBookingAnswer, CoachingBookingRequest } from '#shared/contract/coaching-booking.ts'
import { ContactAnswer, ContactRequest } from '#shared/contract/contact.ts'
import { applyForCoaching, bookCoachingCall, leaveMessage } from './service.ts'

export const enquiryRoutes = (ctx: Context) =>
  new Elysia({ name: 'enquiries' })
    .use(session(ctx))
    .post(
      '/api/coaching-application',
      ({ body, address, request }) => {
        limitPublicForm(ctx, 'coaching-application', address)
        return applyForCoaching(ctx, body, keyOf(request))
      },
      { visitor: true, body: CoachingApplicationRequest, response: { 200: CoachingApplicationAnswer, ...refusals } },
    )
    .post(
      '/api/coaching-bookings',
      ({ body, address, request }) => {
        limitPublicForm(ctx, 'coaching-bookings', address)
        return bookCoachingCall(ctx, body, keyOf(request))
      },
      { visitor: true, body: CoachingBookingRequest, response: { 200: CoachingBookingAnswer, ...refusals } },
    )
    .post(
      '/api/contact',
      ({ body, address, request }) => {
        limitPublicForm(ctx, 'contact', address)
        return leaveMessage(ctx, body, keyOf(request))
      },
      { visitor: true, body: ContactRequest, response: { 200: ContactAnswer, ...refusals } },
    )

const keyOf = (request: Request) => request.headers.get('idempotency-key') ?? undefined
