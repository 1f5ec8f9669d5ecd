import { Elysia } from 'elysia'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { listOwnSessions, revokeOwnSessions } from '#api/features/accounts/login/session-list-service.ts'
import { tellProviderIfReachable } from '#api/features/subscriptions/provider-address-service.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { fileOf } from '#api/http/file-answer.ts'
import { bytesBody, oneClickBody, readPhoto } from '#api/http/request-body.ts'
import { session } from '#api/http/session.ts'
import { archiveResponse } from '#api/http/streamed-response.ts'
import { endedSessionCookie } from '#api/identity/session-cookies.ts'
import { limitPublicForm } from '#api/serving/rate-limits.ts'
import {
  AccountDeleted,
  CancellationCopyList,
  DeleteAccountRequest,
  MailChoice,
  MailChoiceList,
  NoticeCopyList,
  OpenedUnsubscribeQuery,
  OwnActivityList,
  Unsubscribed,
  UnsubscribeQuery,
} from '#shared/contract/account.ts'
import { Done } from '#shared/contract/auth.ts'
import { OwnPhoto, ownPhotoPath, PhotoParams, photoType } from '#shared/contract/photo.ts'
import {
  EmailChanged,
  EmailLinkRequest,
  EmailRestored,
  Profile,
  ProfileHeaders,
  ProfileRequest,
  versionInIfMatch,
} from '#shared/contract/profile.ts'
import { OwnSessionList, RevokeOwnSessionsRequest, RevokeSessionsResponse } from '#shared/contract/sessions.ts'
import { makeArchive } from './archive-service.ts'
import { reportEmailChange } from './email-report-service.ts'
import { confirmEmailChange, undoEmailChange } from './email-service.ts'
import { chooseMail, listMailChoices, unsubscribe } from './mail-choice-service.ts'
import { photoResponse, removeOwnPhoto, setOwnPhoto } from './photo-service.ts'
import { listCancellations, listNotices, listOwnActivity } from './queries.ts'
import { changeOwnProfile, deleteOwnAccount, ownProfile } from './service.ts'

export const profileRoutes = (ctx: Context) =>
  new Elysia({ name: 'profile', tags: ['Your account'] })
    .use(session(ctx))
    .get('/api/user/profile', ({ person }) => ownProfile(ctx, person), {
      person: true,
      says: 'Shows your name, contact details and trade.',
      response: { 200: Profile, ...errorResponses },
    })
    .patch(
      '/api/user/profile',
      ({ person, body, headers }) =>
        changeOwnProfile(ctx, person, { request: body, version: versionInIfMatch(headers['if-match']) }),
      {
        person: true,
        says: 'Changes your profile. A new email address needs confirming.',
        headers: ProfileHeaders,
        body: ProfileRequest,
        response: { 200: Profile, ...errorResponses },
      },
    )
    .get('/api/user/sessions', ({ person }) => listOwnSessions(ctx, person), {
      person: true,
      says: 'Lists the devices you’re logged in on.',
      response: { 200: OwnSessionList, ...errorResponses },
    })
    .post('/api/user/sessions/revoke', ({ person, body }) => revokeOwnSessions(ctx, person, body), {
      person: true,
      says: 'Logs out one device, or all the others.',
      body: RevokeOwnSessionsRequest,
      response: { 200: RevokeSessionsResponse, ...errorResponses },
    })
    .put(
      ownPhotoPath,
      ({ person, request }) => setOwnPhoto(ctx, person, { read: () => readPhoto(request), signal: request.signal }),
      {
        person: true,
        says: 'Uploads your photo.',
        response: { 200: OwnPhoto, ...errorResponses },
        detail: bytesBody(photoType),
      },
    )
    .delete(ownPhotoPath, ({ person }) => removeOwnPhoto(ctx, person), {
      person: true,
      says: 'Removes your photo.',
      response: { 200: OwnPhoto, ...errorResponses },
    })
    .get('/api/photos/:id', ({ person, params: { id } }) => photoResponse(ctx, { id, userId: person.id }), {
      person: true,
      says: 'Returns your photo.',
      params: PhotoParams,
      response: { 200: fileOf('image/webp'), ...errorResponses },
    })
    .get('/api/admin/photos/:id', ({ params }) => photoResponse(ctx, params), {
      owner: true,
      says: 'Returns a member’s photo.',
      tags: ['Members'],
      params: PhotoParams,
      response: { 200: fileOf('image/webp'), ...errorResponses },
    })
    .get('/api/user/activity', ({ person }) => listOwnActivity(ctx, person), {
      person: true,
      says: 'Lists what happened on your account.',
      response: { 200: OwnActivityList, ...errorResponses },
    })
    .get('/api/user/mail-choices', ({ person }) => listMailChoices(ctx, person), {
      person: true,
      says: 'Shows which emails you get.',
      response: { 200: MailChoiceList, ...errorResponses },
    })
    .put('/api/user/mail-choices', ({ person, body }) => chooseMail(ctx, person, body), {
      person: true,
      says: 'Switches one kind of email on or off.',
      body: MailChoice,
      response: { 200: MailChoiceList, ...errorResponses },
    })
    .get(
      '/api/mail/unsubscribe',
      // Mail scanners open it, and so do people, whose mail program shows it as a link.
      ({ query, redirect }) => redirect(`/members/unsubscribe?token=${encodeURIComponent(query.token)}`, 303),
      {
        open: true,
        says: 'Leads to the page with the button that stops a kind of email.',
        query: OpenedUnsubscribeQuery,
        response: { 303: v.void(), ...errorResponses },
      },
    )
    .post('/api/mail/unsubscribe', ({ query }) => unsubscribe(ctx, query.token), {
      open: true,
      says: 'Stops a kind of email with the link at its end.',
      query: UnsubscribeQuery,
      response: { 200: Unsubscribed, ...errorResponses },
      detail: oneClickBody(),
    })
    .post('/api/user/archive', ({ person, set }) => archiveResponse(ctx, makeArchive(ctx, person), set), {
      person: true,
      says: 'Makes a download of everything we keep about you.',
      response: { 200: fileOf('application/zip'), ...errorResponses },
    })
    .delete(
      '/api/user/account',
      async ({ person, set }) => {
        const deleted = await deleteOwnAccount(ctx, person)
        set.headers['set-cookie'] = endedSessionCookie(ctx)
        return deleted
      },
      {
        person: true,
        says: 'Deletes your account for good.',
        body: DeleteAccountRequest,
        response: { 200: AccountDeleted, ...errorResponses },
      },
    )
    .get('/api/user/cancellations', ({ person }) => listCancellations(ctx, person), {
      person: true,
      says: 'Lists your cancellations, with the copy we emailed.',
      response: { 200: CancellationCopyList, ...errorResponses },
    })
    .get('/api/user/renewal-notices', ({ person }) => listNotices(ctx, person), {
      person: true,
      says: 'Lists what we emailed you before payments, word for word.',
      response: { 200: NoticeCopyList, ...errorResponses },
    })
    .post(
      '/api/email-change/confirm',
      async ({ body, address, person }) => {
        limitPublicForm(ctx, 'email-change', address)
        const { userId, email } = confirmEmailChange(ctx, body.token, person)
        await tellProviderIfReachable(ctx, userId)
        return { email }
      },
      {
        visitor: true,
        says: 'Confirms a new email address with the mailed link.',
        body: EmailLinkRequest,
        response: { 200: EmailChanged, ...errorResponses },
      },
    )
    .post(
      '/api/email-change/report',
      ({ body, address }) => {
        limitPublicForm(ctx, 'email-change', address)
        reportEmailChange(ctx, body.token)
        return { success: true as const }
      },
      {
        visitor: true,
        says: 'Reports a change of email address that wasn’t yours.',
        body: EmailLinkRequest,
        response: { 200: Done, ...errorResponses },
      },
    )
    .post(
      '/api/email-change/undo',
      async ({ body, address }) => {
        limitPublicForm(ctx, 'email-change', address)
        const { userId, email, resetToken } = await undoEmailChange(ctx, body.token)
        await tellProviderIfReachable(ctx, userId)
        return { email, resetToken }
      },
      {
        visitor: true,
        says: 'Undoes a change of email address and logs out every device.',
        body: EmailLinkRequest,
        response: { 200: EmailRestored, ...errorResponses },
      },
    )
