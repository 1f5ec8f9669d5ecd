import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { memberNotFound } from '#api/errors.ts'
import { changeBillingAddress, changeProfile } from '#api/features/profile/account-service.ts'
import { listActivity } from '#api/features/profile/activity-queries.ts'
import { makeArchiveFor } from '#api/features/profile/archive-service.ts'
import { decideEmailReport } from '#api/features/profile/email-report-service.ts'
import { removePhotoOf } from '#api/features/profile/photo-service.ts'
import { tellProviderIfReachable } from '#api/features/subscriptions/provider-address-service.ts'
import { listProgress } from '#api/features/videos/progress/service.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { fileOf } from '#api/http/file-answer.ts'
import { respondWithPage } from '#api/http/listing.ts'
import { session } from '#api/http/session.ts'
import { archiveResponse } from '#api/http/streamed-response.ts'
import { Done } from '#shared/contract/auth.ts'
import { BillingAddress } from '#shared/contract/billing.ts'
import {
  CardLink,
  EmailReportDecision,
  FreeAccessQuery,
  FreeAccessRequest,
  GuaranteePlan,
  MemberActivityList,
  MemberActivityQuery,
  MemberAddressRequest,
  MemberProfile,
  MemberProfileRequest,
  MemberRecord,
  StripeAddressDecision,
} from '#shared/contract/member-record.ts'
import { AdminMemberDetail, AdminMemberParams } from '#shared/contract/members.ts'
import { MemberPhotoParams, OwnPhoto } from '#shared/contract/photo.ts'
import { VideoProgressList } from '#shared/contract/progress.ts'
import { endFreeAccess, giveFreeAccess } from './access-service.ts'
import { planGuarantee } from './guarantee-service.ts'
import { findMember } from './queries.ts'
import { mailCardLink, readRecord } from './record-service.ts'
import { decideStripeAddress } from './stripe-address-service.ts'

const defaultPage = 50

const prefix = '/api/admin/members/:memberId'

export const memberRecordRoutes = (ctx: Context) =>
  new Elysia({ name: 'member-record' })
    .use(readingRoutes(ctx))
    .use(videoRoutes(ctx))
    .use(archiveRoutes(ctx))
    .use(changingRoutes(ctx))
    .use(reportRoutes(ctx))
    .use(moneyRoutes(ctx))

const readingRoutes = (ctx: Context) =>
  new Elysia({ name: 'member-record-reading', prefix, tags: ['Members'] })
    .use(session(ctx))
    .get('/record', ({ params }) => readRecord(ctx, params.memberId), {
      owner: true,
      says: 'Shows a member’s payments, emails, calls and notes.',
      params: AdminMemberParams,
      response: { 200: MemberRecord, ...errorResponses },
    })
    .get('/refund', ({ params }) => planGuarantee(ctx, params.memberId), {
      owner: true,
      says: 'Shows what you can refund.',
      params: AdminMemberParams,
      response: { 200: GuaranteePlan, ...errorResponses },
    })
    .get(
      '/activity',
      (call) =>
        respondWithPage(
          call,
          listActivity(ctx, call.params.memberId, { ...call.query, limit: call.query.limit ?? defaultPage }),
        ),
      {
        owner: true,
        says: 'Lists what happened on a member’s account.',
        params: AdminMemberParams,
        query: MemberActivityQuery,
        response: { 200: MemberActivityList, ...errorResponses },
      },
    )

const videoRoutes = (ctx: Context) =>
  new Elysia({ name: 'member-lessons', tags: ['Members'] }).use(session(ctx)).get(
    '/api/admin/member-progress/:memberId',
    ({ params }) => {
      const member = findMember(ctx, params.memberId)
      if (member === null) throw memberNotFound()
      return listProgress(ctx, member.id)
    },
    {
      owner: true,
      says: 'Shows which videos a member has finished.',
      params: AdminMemberParams,
      response: { 200: VideoProgressList, ...errorResponses },
    },
  )

const archiveRoutes = (ctx: Context) =>
  new Elysia({ name: 'member-archive', prefix, tags: ['Members'] })
    .use(session(ctx))
    .post(
      '/archive',
      ({ owner, params, set }) => archiveResponse(ctx, makeArchiveFor(ctx, owner, params.memberId), set),
      {
        provenOwner: true,
        says: 'Downloads everything we keep about a member.',
        audit: 'member.exported',
        params: AdminMemberParams,
        response: { 200: fileOf('application/zip'), ...errorResponses },
      },
    )

const moneyRoutes = (ctx: Context) =>
  new Elysia({ name: 'member-record-money', prefix, tags: ['Members'] })
    .use(session(ctx))
    .post(
      '/card-link',
      ({ owner, params, request: { headers } }) =>
        mailCardLink(ctx, owner, { ...params, key: headers.get('idempotency-key') ?? undefined }),
      {
        owner: 'the link is mailed to the member, who has to log in',
        says: 'Emails a member the link to change their card.',
        audit: 'member.card_link',
        params: AdminMemberParams,
        response: { 200: CardLink, ...errorResponses },
      },
    )

const reportRoutes = (ctx: Context) =>
  new Elysia({ name: 'member-record-report', prefix, tags: ['Members'] })
    .use(session(ctx))
    .post('/stripe-address', ({ owner, params, body }) => decideStripeAddress(ctx, owner, { ...params, ...body }), {
      provenOwner: true,
      says: 'Says which email counts where Stripe has another.',
      audit: 'member.email_at_stripe',
      params: AdminMemberParams,
      body: StripeAddressDecision,
      response: { 200: AdminMemberDetail, ...errorResponses },
    })
    .post(
      '/email-report',
      async ({ owner, params, body }) => {
        decideEmailReport(ctx, owner, { ...params, ...body })
        await tellProviderIfReachable(ctx, params.memberId)
        return { success: true as const }
      },
      {
        provenOwner: true,
        says: 'Decides a reported change of a member’s email address.',
        audit: ['member.email_kept', 'member.email_put_back'],
        params: AdminMemberParams,
        body: EmailReportDecision,
        response: { 200: Done, ...errorResponses },
      },
    )

const changingRoutes = (ctx: Context) =>
  new Elysia({ name: 'member-record-changing', prefix, tags: ['Members'] })
    .use(session(ctx))
    .put(
      '/profile',
      async ({ owner, params, body }) => {
        const changed = changeProfile(ctx, owner, { ...params, request: body })
        await tellProviderIfReachable(ctx, params.memberId)
        return changed
      },
      {
        owner: 'asks when the email changes',
        says: 'Changes a member’s profile.',
        audit: 'member.profile_changed',
        params: AdminMemberParams,
        body: MemberProfileRequest,
        response: { 200: MemberProfile, ...errorResponses },
      },
    )
    .put('/address', ({ owner, params, body }) => changeBillingAddress(ctx, owner, { ...params, ...body }), {
      owner: 'no one gets in by an address on invoices',
      says: 'Changes the address on a member’s invoices.',
      audit: 'member.profile_changed',
      params: AdminMemberParams,
      body: MemberAddressRequest,
      response: { 200: BillingAddress, ...errorResponses },
    })
    .delete('/photos/:id', ({ owner, params }) => removePhotoOf(ctx, owner, params), {
      owner: 'the member can put it up again',
      says: 'Removes a member’s photo.',
      audit: 'member.photo_removed',
      params: MemberPhotoParams,
      response: { 200: OwnPhoto, ...errorResponses },
    })
    .put('/free-access', ({ owner, params, body }) => giveFreeAccess(ctx, owner, { ...params, ...body }), {
      owner: 'it can be changed back',
      says: 'Gives free access until a day, or for good.',
      audit: 'member.free_access',
      params: AdminMemberParams,
      body: FreeAccessRequest,
      response: { 200: AdminMemberDetail, ...errorResponses },
    })
    .delete('/free-access', ({ owner, params, query }) => endFreeAccess(ctx, owner, { ...params, ...query }), {
      owner: 'it can be changed back',
      says: 'Ends free access.',
      audit: 'member.free_access_ended',
      params: AdminMemberParams,
      query: FreeAccessQuery,
      response: { 200: AdminMemberDetail, ...errorResponses },
    })
