import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { session } from '#api/http/session.ts'
import { limitPublicForm } from '#api/serving/rate-limits.ts'
import {
  CreateDelayedSubscriptionRequest,
  CreateDelayedSubscriptionResponse,
  DelayedOffers,
  ReactivationLink,
  ReactivationLinkQuery,
  ReactivationLinkRequest,
} from '#shared/contract/reactivation.ts'
import { makeReactivationLink } from './links-service.ts'
import { createDelayedSubscription, delayedOffers } from './service.ts'

export const reactivationRoutes = (ctx: Context) =>
  new Elysia({ name: 'reactivation', tags: ['Joining'] })
    .use(session(ctx))
    .post('/api/admin/reactivation-links', ({ owner, body }) => makeReactivationLink(ctx, owner, body), {
      provenOwner: true,
      says: 'Makes a link that brings a former member back.',
      audit: 'reactivation.link',
      tags: ['Members’ subscriptions'],
      body: ReactivationLinkRequest,
      response: { 200: ReactivationLink, ...errorResponses },
    })
    .get('/api/delayed-subscription', ({ query }) => delayedOffers(ctx, query), {
      open: true,
      says: 'Shows a former member what a reactivation link offers.',
      query: ReactivationLinkQuery,
      response: { 200: DelayedOffers, ...errorResponses },
    })
    .post(
      '/api/create-delayed-subscription',
      ({ body, person, address }) => {
        limitPublicForm(ctx, 'create-delayed-subscription', address)
        return createDelayedSubscription(ctx, body, person)
      },
      {
        visitor: true,
        says: 'Starts a membership from a reactivation link.',
        body: CreateDelayedSubscriptionRequest,
        response: { 200: CreateDelayedSubscriptionResponse, ...errorResponses },
      },
    )
