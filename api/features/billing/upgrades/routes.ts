import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { byThemselves, onBehalfOf, toldAboutMember } from '#api/features/billing/on-behalf-service.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { session } from '#api/http/session.ts'
import { limitProviderCalls } from '#api/serving/rate-limits.ts'
import { ChangeTierRequest } from '#shared/contract/billing.ts'
import { AdminMemberParams } from '#shared/contract/members.ts'
import { SettleUpgradeRequest, UpgradePreview, UpgradeRequest, UpgradeResult } from '#shared/contract/upgrade.ts'
import { previewUpgrade, settleUpgrade, startUpgrade } from './service.ts'

export const upgradeRoutes = (ctx: Context) =>
  new Elysia({ name: 'upgrades', tags: ['Your membership'] })
    .use(session(ctx))
    .post(
      '/api/billing/upgrade/preview',
      ({ person, address, body }) => {
        limitProviderCalls(ctx, { person, address })
        return previewUpgrade(ctx, byThemselves(person), body)
      },
      {
        person: true,
        says: 'Shows what an upgrade would cost today.',
        body: ChangeTierRequest,
        response: { 200: UpgradePreview, ...errorResponses },
      },
    )
    .post(
      '/api/billing/upgrade',
      ({ person, address, body }) => {
        limitProviderCalls(ctx, { person, address })
        return startUpgrade(ctx, byThemselves(person), body)
      },
      {
        person: true,
        says: 'Upgrades today and charges the difference.',
        body: UpgradeRequest,
        response: { 200: UpgradeResult, ...errorResponses },
      },
    )
    .post(
      '/api/billing/upgrade/settle',
      ({ person, address, body }) => {
        limitProviderCalls(ctx, { person, address })
        return settleUpgrade(ctx, byThemselves(person), body)
      },
      {
        person: true,
        says: 'Finishes an upgrade your bank had to confirm.',
        body: SettleUpgradeRequest,
        response: { 200: UpgradeResult, ...errorResponses },
      },
    )
    .post(
      '/api/admin/members/:memberId/upgrade/preview',
      ({ owner, params, body }) =>
        toldAboutMember('It can’t start today.', () =>
          previewUpgrade(ctx, onBehalfOf(ctx, owner, params.memberId), body),
        ),
      {
        owner: 'it tries something out and keeps nothing',
        says: 'Shows what an upgrade would cost a member today.',
        audit: null,
        tags: ['Members’ subscriptions'],
        params: AdminMemberParams,
        body: ChangeTierRequest,
        response: { 200: UpgradePreview, ...errorResponses },
      },
    )
    .post(
      '/api/admin/members/:memberId/upgrade',
      ({ owner, params, body }) =>
        toldAboutMember('It can’t start today.', () =>
          startUpgrade(ctx, onBehalfOf(ctx, owner, params.memberId), body),
        ),
      {
        provenOwner: true,
        says: 'Upgrades a member today and charges the difference.',
        audit: 'subscription.upgrade',
        tags: ['Members’ subscriptions'],
        params: AdminMemberParams,
        body: UpgradeRequest,
        response: { 200: UpgradeResult, ...errorResponses },
      },
    )
