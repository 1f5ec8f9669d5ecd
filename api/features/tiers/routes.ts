import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { cachedResponse } from '#api/http/response-cache.ts'
import { session } from '#api/http/session.ts'
import { MembershipTierList } from '#shared/contract/tier.ts'
import { listTiers } from './service.ts'

export const tierRoutes = (ctx: Context) =>
  new Elysia({ name: 'tiers' })
    .use(session(ctx))
    .get(
      '/api/membership-tiers',
      ({ request, set }) => cachedResponse(ctx, { request, set }, { key: 'tiers' }, () => listTiers(ctx)),
      {
        open: true,
        response: { 200: MembershipTierList },
      },
    )
