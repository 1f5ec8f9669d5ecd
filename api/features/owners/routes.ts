import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { session } from '#api/http/session.ts'
import { DashboardAccess, OwnerLink, OwnerLinkRequest } from '#shared/contract/auth.ts'
import { isSimpleAdmin, ownerLink } from './service.ts'

export const ownerRoutes = (ctx: Context) =>
  new Elysia({ name: 'owners' })
    .use(session(ctx))
    .post('/api/admin/owners/link', ({ owner, body }) => ownerLink(ctx, owner, body), {
      provenOwner: true,
      body: OwnerLinkRequest,
      response: { 200: OwnerLink, ...errorResponses },
    })
    .get('/api/admin/dashboard', ({ owner }) => ({ isAllowed: isSimpleAdmin(ctx, owner) }), {
      owner: true,
      response: { 200: DashboardAccess, ...errorResponses },
    })
