import { Elysia } from 'elysia'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { session } from '#api/http/session.ts'
import { Id } from '#shared/contract/fields.ts'
import { Invitation, InvitationQuery } from '#shared/contract/invitation.ts'
import {
  MemberInvitation,
  MemberInvitationList,
  MemberInvitationPreview,
  MemberInvitationRequest,
} from '#shared/contract/member-invitations.ts'
import {
  inviteMember,
  listInvitations,
  previewInvitation,
  readInvitationLink,
  resendInvitation,
  withdrawInvitation,
} from './service.ts'

const IdParams = v.object({ id: Id })

export const invitationRoutes = (ctx: Context) =>
  new Elysia({ name: 'invitations', tags: ['Members'] })
    .use(session(ctx))
    .get('/api/invitation', ({ query }) => readInvitationLink(ctx, query.invitation), {
      open: true,
      says: 'Shows the tier an invitation link leads to.',
      tags: ['Joining'],
      query: InvitationQuery,
      response: { 200: Invitation, ...errorResponses },
    })
    .get('/api/admin/invitations', () => listInvitations(ctx), {
      owner: true,
      says: 'Lists open invitations to join.',
      response: { 200: MemberInvitationList, ...errorResponses },
    })
    .post('/api/admin/invitations', ({ owner, body }) => inviteMember(ctx, owner, body), {
      owner: 'it gives no access',
      says: 'Emails anyone an invitation to join, with free months if you like.',
      audit: 'member.invited',
      body: MemberInvitationRequest,
      response: { 200: MemberInvitation, ...errorResponses },
    })
    .post('/api/admin/invitations/preview', ({ body }) => previewInvitation(ctx, body), {
      owner: 'it tries something out and keeps nothing',
      says: 'Shows the email an invitation would send.',
      audit: null,
      body: MemberInvitationRequest,
      response: { 200: MemberInvitationPreview, ...errorResponses },
    })
    .post('/api/admin/invitations/:id/resend', ({ owner, params }) => resendInvitation(ctx, owner, params.id), {
      owner: 'it gives no access',
      says: 'Emails an invitation again.',
      audit: 'member.invited',
      params: IdParams,
      response: { 200: MemberInvitation, ...errorResponses },
    })
    .delete('/api/admin/invitations/:id', ({ owner, params }) => withdrawInvitation(ctx, owner, params.id), {
      owner: 'it gives a right back',
      says: 'Cancels an invitation.',
      audit: 'member.uninvited',
      params: IdParams,
      response: { 200: MemberInvitation, ...errorResponses },
    })
