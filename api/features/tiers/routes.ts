import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { session } from '#api/http/session.ts'
import { cachedResponse } from '#api/serving/kept-answers.ts'
import {
  AdminTier,
  AdminTierList,
  NextPriceCancelRequest,
  PriceChange,
  PriceChangeRequest,
  PricePreview,
  PricePreviewQuery,
  TierChangeRequest,
  TierParams,
} from '#shared/contract/admin-tier.ts'
import { MembershipTierList } from '#shared/contract/tier.ts'
import { changeTierText, listAllTiers } from './admin-service.ts'
import { cancelNextPrice, changePrice, previewPrice } from './price-service.ts'
import { listTiers } from './service.ts'

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
      says: 'Lists the tiers, hidden ones too.',
      response: { 200: AdminTierList, ...errorResponses },
    })
    .patch(
      '/api/admin/tiers/:tier',
      ({ owner, params, body }) => changeTierText(ctx, owner, { ...body, slug: params.tier }),
      {
        owner: 'it can be put back',
        says: 'Changes a tier’s name, text or visibility.',
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
