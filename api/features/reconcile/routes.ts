import { Elysia } from 'elysia'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { session } from '#api/http/session.ts'
import { requestForOwners } from '#api/stripe/errors.ts'
import { Done } from '#shared/contract/auth.ts'
import { MemberSync } from '#shared/contract/jobs.ts'
import { AdminMemberParams } from '#shared/contract/members.ts'
import {
  EventGapList,
  MrrDiff,
  ProviderEvent,
  ProviderEventList,
  ProviderEventParams,
  ProviderEventQuery,
} from '#shared/contract/provider-comparison.ts'
import {
  SubscriptionLink,
  SubscriptionLinkPlan,
  SubscriptionLinkQuery,
  SubscriptionLinkRequest,
} from '#shared/contract/subscription-link.ts'
import { compareRevenue, findEventGaps, listEvents, replayEvent } from './comparison-service.ts'
import { syncMember } from './drift-service.ts'
import { linkSubscription, planLink } from './link-service.ts'
import { receiveEvent } from './webhook-service.ts'

export const reconcileRoutes = (ctx: Context) =>
  new Elysia({ name: 'reconcile', tags: ['Stripe'] })
    .use(session(ctx))
    .post(
      '/api/stripe/webhook',
      async ({ body, request }) => {
        await receiveEvent(ctx, body, request.headers.get('stripe-signature'))
        return { success: true as const }
      },
      { open: true, says: 'Takes an event from Stripe.', body: v.string(), response: { 200: Done, ...errorResponses } },
    )
    .post('/api/admin/members/:memberId/sync', ({ owner, params }) => syncMember(ctx, owner, params.memberId), {
      owner: 'the site does it anyway',
      says: 'Syncs one member with Stripe.',
      audit: 'member.sync',
      params: AdminMemberParams,
      response: { 200: MemberSync, ...errorResponses },
    })
    .get(
      '/api/admin/mrr-diff',
      () => requestForOwners(ctx, 'there’s nothing to compare with', () => compareRevenue(ctx)),
      {
        owner: true,
        says: 'Lists where Stripe’s subscriptions differ from yours.',
        response: { 200: MrrDiff, ...errorResponses },
      },
    )
    .get('/api/admin/events', ({ query }) => listEvents(ctx, query.waiting !== undefined), {
      owner: true,
      says: 'Lists the events Stripe sent.',
      query: ProviderEventQuery,
      response: { 200: ProviderEventList, ...errorResponses },
    })
    .get(
      '/api/admin/event-gaps',
      () => requestForOwners(ctx, 'we don’t know which events are missing', () => findEventGaps(ctx)),
      {
        owner: true,
        says: 'Lists events Stripe has that never arrived.',
        response: { 200: EventGapList, ...errorResponses },
      },
    )
    .post('/api/admin/events/:id/replay', ({ owner, params }) => replayEvent(ctx, owner, params.id), {
      owner: 'the site does it anyway',
      says: 'Handles an event again.',
      audit: 'event.replayed',
      params: ProviderEventParams,
      response: { 200: ProviderEvent, ...errorResponses },
    })
    .get('/api/admin/subscription-links', ({ query }) => planLink(ctx, query), {
      owner: true,
      says: 'Shows what linking a Stripe customer to an account would do.',
      query: SubscriptionLinkQuery,
      response: { 200: SubscriptionLinkPlan, ...errorResponses },
    })
    .post('/api/admin/subscription-links', ({ owner, body }) => linkSubscription(ctx, owner, body), {
      owner: 'it joins what is paid already to its own member',
      says: 'Links a Stripe customer to an account.',
      audit: ['customer.linked', 'subscription.adopted', 'subscription.adoption_undone'],
      body: SubscriptionLinkRequest,
      response: { 200: SubscriptionLink, ...errorResponses },
    })
