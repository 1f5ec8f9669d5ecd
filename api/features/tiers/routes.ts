import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { keptAnswer } from '#api/http/kept.ts'
import { session } from '#api/http/session.ts'
import { MembershipTierList } from '#shared/contract/tier.ts'
import { listTiers } from './service.ts'

export const tierRoutes = (ctx: Context) =>
  new Elysia({ name: 'tiers' })
    .use(session(ctx))
    .get(
      '/api/membership-tiers',
      ({ request, set }) => keptAnswer(ctx, { request, set }, 'tiers', () => listTiers(ctx)),
      {
        open: true,
        response: { 200: MembershipTierList },
      },
    )
