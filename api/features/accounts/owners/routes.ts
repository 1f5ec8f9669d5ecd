import { Elysia } from 'elysia'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { session } from '#api/http/session.ts'
import { readDeviceCookie } from '#api/identity/session-cookies.ts'
import { limitPublicForm } from '#api/serving/rate-limits.ts'
import { DashboardAccess, Done, OwnerLink, OwnerLinkRequest } from '#shared/contract/auth.ts'
import {
  AcceptOwnerRequest,
  InvitedOwner,
  InvitedOwnerRequest,
  OwnerInvitation,
  OwnerInvitationRequest,
  OwnersResponse,
  SiteOwner,
} from '#shared/contract/owners.ts'
import { deviceName } from '#shared/rules/device-name.ts'
import { acceptInvitation, inviteOwner, readInvitedOwner, withdrawInvitation } from './invitation-service.ts'
import { readOwners, removeOwner } from './list-service.ts'
import { isSimpleAdmin, ownerLink } from './service.ts'

const IdParams = v.object({ id: v.pipe(v.string(), v.maxLength(200)) })

export const ownerRoutes = (ctx: Context) =>
  new Elysia({ name: 'owners', tags: ['Owners and logins'] })
    .use(session(ctx))
    .post('/api/admin/owners/link', ({ owner, body }) => ownerLink(ctx, owner, body), {
      provenOwner: true,
      says: 'Makes an owner’s link to set a password.',
      audit: 'owner.link',
      body: OwnerLinkRequest,
      response: { 200: OwnerLink, ...errorResponses },
    })
    .get('/api/admin/owners', ({ owner }) => readOwners(ctx, owner), {
      owner: true,
      says: 'Lists the owners and open invitations.',
      response: { 200: OwnersResponse, ...errorResponses },
    })
    .post('/api/admin/owners/invitations', ({ owner, body }) => inviteOwner(ctx, owner, body), {
      provenOwner: true,
      says: 'Invites someone to be an owner.',
      audit: 'owner.invited',
      body: OwnerInvitationRequest,
      response: { 200: OwnerInvitation, ...errorResponses },
    })
    .delete('/api/admin/owners/invitations/:id', ({ owner, params }) => withdrawInvitation(ctx, owner, params.id), {
      owner: 'it gives a right back',
      says: 'Cancels an invitation.',
      audit: 'owner.invitation_withdrawn',
      params: IdParams,
      response: { 200: OwnerInvitation, ...errorResponses },
    })
    .delete('/api/admin/owners/:id', ({ owner, params }) => removeOwner(ctx, owner, params.id), {
      provenOwner: true,
      says: 'Removes an invited owner, and ends their logins.',
      audit: 'owner.removed',
      params: IdParams,
      response: { 200: SiteOwner, ...errorResponses },
    })
    .post('/api/owner-invitation', ({ body, person }) => readInvitedOwner(ctx, body.token, person), {
      visitor: true,
      says: 'Shows whom an invitation to be an owner is for.',
      tags: ['Joining'],
      body: InvitedOwnerRequest,
      response: { 200: InvitedOwner, ...errorResponses },
    })
    .post(
      '/api/owner-invitation/accept',
      async ({ body, person, request, address, set }) => {
        limitPublicForm(ctx, 'owner-invitation', address)
        const caller = { here: person, address, device: readDeviceCookie(ctx, request) }
        const name = deviceName(request.headers.get('user-agent'))
        set.headers['set-cookie'] = await acceptInvitation(ctx, body, { ...caller, deviceName: name })
        return { success: true as const }
      },
      {
        visitor: true,
        says: 'Accepts an invitation to be an owner.',
        tags: ['Joining'],
        body: AcceptOwnerRequest,
        response: { 200: Done, ...errorResponses },
      },
    )
    .get('/api/admin/dashboard', ({ owner }) => ({ isAllowed: isSimpleAdmin(ctx, owner) }), {
      owner: true,
      says: 'Shows whether you may open the simple dashboard.',
      tags: ['Running the site'],
      response: { 200: DashboardAccess, ...errorResponses },
    })
