import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { session } from '#api/http/session.ts'
import { cachedResponse } from '#api/serving/kept-answers.ts'
import {
  AdminTier,
  AdminTierList,
  NewTierRequest,
  NextPriceCancelRequest,
  PriceChange,
  PriceChangeRequest,
  PricePreview,
  PricePreviewQuery,
  PriceStopRequest,
  TierChangeRequest,
  TierDeleteRequest,
  TierOrderRequest,
  TierParams,
  TierRetireRequest,
  TierUses,
  TierVersionRequest,
} from '#shared/contract/admin-tier.ts'
import { Done } from '#shared/contract/auth.ts'
import { MembershipTierList } from '#shared/contract/tier.ts'
import { changeTier, listAllTiers } from './admin-service.ts'
import { addTier, deleteTier, makeDefault, orderTiers, restoreTier, retireTier } from './catalogue-service.ts'
import { cancelNextPrice, changePrice, previewPrice, stopPrice } from './price-service.ts'
import { listTiers } from './service.ts'
import { usesOfTier } from './uses-service.ts'

export const tierRoutes = (ctx: Context) =>
  new Elysia({ name: 'tiers', tags: ['Money'] })
    .use(session(ctx))
    .get(
      '/api/membership-tiers',
      ({ request, set }) => cachedResponse(ctx, { request, set }, { key: 'tiers' }, () => listTiers(ctx)),
      {
        open: true,
        says: 'Lists the tiers on sale, with their prices.',
        tags: ['Joining'],
        response: { 200: MembershipTierList },
      },
    )
    .get('/api/admin/tiers', () => listAllTiers(ctx), {
      owner: true,
      // Most of owners' pages show tiers' names.
      apart: 'list',
      says: 'Lists the tiers, hidden ones too.',
      response: { 200: AdminTierList, ...errorResponses },
    })
    .patch(
      '/api/admin/tiers/:tier',
      ({ owner, params, body }) => changeTier(ctx, owner, { ...body, slug: params.tier }),
      {
        owner: 'it can be put back',
        says: 'Changes a tier’s words, what’s included and where it’s shown.',
        audit: 'tier.changed',
        params: TierParams,
        body: TierChangeRequest,
        response: { 200: AdminTier, ...errorResponses },
      },
    )
    .get('/api/admin/tiers/:tier/price', ({ params, query }) => previewPrice(ctx, params.tier, query), {
      owner: true,
      says: 'Shows a tier’s price, and who a change would affect.',
      params: TierParams,
      query: PricePreviewQuery,
      response: { 200: PricePreview, ...errorResponses },
    })
    .post(
      '/api/admin/tiers/:tier/price',
      ({ owner, params, body }) => changePrice(ctx, owner, { ...body, slug: params.tier }),
      {
        provenOwner: true,
        says: 'Changes a tier’s price, for new members or for everyone, now or from a day.',
        audit: 'tier.price',
        params: TierParams,
        body: PriceChangeRequest,
        response: { 200: PriceChange, ...errorResponses },
      },
    )
    .delete(
      '/api/admin/tiers/:tier/price',
      ({ owner, params, body }) => cancelNextPrice(ctx, owner, { ...body, slug: params.tier }),
      {
        provenOwner: true,
        says: 'Cancels a price that hasn’t started.',
        audit: 'tier.price_cancelled',
        params: TierParams,
        body: NextPriceCancelRequest,
        response: { 200: AdminTier, ...errorResponses },
      },
    )
    .delete(
      '/api/admin/tiers/:tier/price/offer',
      ({ owner, params, body }) => stopPrice(ctx, owner, { ...body, slug: params.tier }),
      {
        provenOwner: true,
        says: 'Takes one of a tier’s prices off sale. Members who pay it keep it.',
        audit: 'tier.price_stopped',
        params: TierParams,
        body: PriceStopRequest,
        response: { 200: AdminTier, ...errorResponses },
      },
    )
    .use(catalogueRoutes(ctx))

const catalogueRoutes = (ctx: Context) =>
  new Elysia({ name: 'tier-catalogue', tags: ['Money'] })
    .use(session(ctx))
    .post(
      '/api/admin/tiers',
      ({ owner, body, request: { headers } }) =>
        addTier(ctx, owner, { request: body, key: headers.get('idempotency-key') ?? undefined }),
      {
        provenOwner: true,
        says: 'Adds a tier with its prices.',
        audit: 'tier.added',
        body: NewTierRequest,
        response: { 200: AdminTier, ...errorResponses },
      },
    )
    .put('/api/admin/tier-order', ({ owner, body }) => orderTiers(ctx, owner, body), {
      owner: 'it can be put back',
      says: 'Puts the tiers in another order.',
      audit: 'tier.ordered',
      body: TierOrderRequest,
      response: { 200: AdminTierList, ...errorResponses },
    })
    .get('/api/admin/tiers/:tier/uses', ({ params }) => usesOfTier(ctx, params.tier), {
      owner: true,
      apart: 'report',
      says: 'Shows who’s on a tier, and what uses it.',
      params: TierParams,
      response: { 200: TierUses, ...errorResponses },
    })
    .post(
      '/api/admin/tiers/:tier/retire',
      ({ owner, params, body }) => retireTier(ctx, owner, { ...body, slug: params.tier }),
      {
        owner: 'it can be put back',
        says: 'Takes a tier off sale. Its members keep it.',
        audit: 'tier.retired',
        params: TierParams,
        body: TierRetireRequest,
        response: { 200: AdminTier, ...errorResponses },
      },
    )
    .post(
      '/api/admin/tiers/:tier/restore',
      ({ owner, params, body }) => restoreTier(ctx, owner, { ...body, slug: params.tier }),
      {
        owner: 'it can be put back',
        says: 'Puts a retired tier back on sale.',
        audit: 'tier.restored',
        params: TierParams,
        body: TierVersionRequest,
        response: { 200: AdminTier, ...errorResponses },
      },
    )
    .post(
      '/api/admin/tiers/:tier/default',
      ({ owner, params, body }) => makeDefault(ctx, owner, { ...body, slug: params.tier }),
      {
        owner: 'it can be put back',
        says: 'Makes a tier the one people get if they haven’t chosen one.',
        audit: 'tier.default',
        params: TierParams,
        body: TierVersionRequest,
        response: { 200: AdminTier, ...errorResponses },
      },
    )
    .delete(
      '/api/admin/tiers/:tier',
      ({ owner, params, body }) => deleteTier(ctx, owner, { ...body, slug: params.tier }),
      {
        provenOwner: true,
        says: 'Deletes a tier that was never sold.',
        audit: 'tier.deleted',
        params: TierParams,
        body: TierDeleteRequest,
        response: { 200: Done, ...errorResponses },
      },
    )
