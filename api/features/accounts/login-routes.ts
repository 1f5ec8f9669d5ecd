import { Elysia } from 'elysia'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { whenWritable } from '#api/db/busy.ts'
import { transact } from '#api/db/open.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { isFromOwnSite, isNavigation } from '#api/http/request-checks.ts'
import { session } from '#api/http/session.ts'
import { recordArea } from '#api/http/session-use.ts'
import type { Person } from '#api/identity/person.ts'
import { assertFactorSet } from '#api/identity/second-factor.ts'
import { endedSessionCookie, readDeviceCookie } from '#api/identity/session-cookies.ts'
import { taggedResponse, toTaggedJson } from '#api/serving/kept-answers.ts'
import { limitPublicForm } from '#api/serving/rate-limits.ts'
import {
  Done,
  ForgotPasswordRequest,
  LoginRequest,
  LoginResponse,
  PasswordSet,
  ProofRequest,
  ResetLink,
  ResetLinkRequest,
  ResetPasswordRequest,
  SessionUser,
  SetPasswordRequest,
  TokenRequest,
  TokenResponse,
} from '#shared/contract/auth.ts'
import { ChangePasswordRequest } from '#shared/contract/profile.ts'
import { auditAuth } from './login/audit-service.ts'
import { checkLogin, countLogin, openLogin, rememberDevice } from './login/login-service.ts'
import {
  changePassword,
  describeResetLink,
  forgotPassword,
  loginResponse,
  resetPassword,
  sessionUser,
  setFirstPassword,
} from './login/service.ts'
import { issueApiToken, logOut, revokeOwnToken } from './login/session-service.ts'
import { assertSecondFactor } from './sign-in/factor-service.ts'
import { provePerson } from './sign-in/proof-service.ts'

const done = { success: true } as const

export function authRoutes(ctx: Context) {
  const endLogin = (person: Person | null, address: string) => {
    if (person !== null) logOut(ctx, person, address)
    return endedSessionCookie(ctx)
  }
  return new Elysia({ name: 'auth', tags: ['Logging in'] })
    .use(session(ctx))
    .get(
      '/api/auth/user',
      ({ person, request, set }) => {
        recordArea(ctx, person, request)
        return taggedResponse({ request, set }, toTaggedJson(SessionUser, sessionUser(person)))
      },
      {
        person: true,
        says: 'Shows who you’re logged in as.',
        response: { 200: SessionUser, ...errorResponses },
      },
    )
    .post(
      '/api/auth/login',
      async ({ body, request, address, person: before, set }) => {
        const caller = { address, device: readDeviceCookie(ctx, request), userId: before?.id }
        const person = await checkLogin(ctx, body, caller)
        await assertSecondFactor(ctx, person, { code: body.code, address })
        set.headers['set-cookie'] = openLogin(ctx, { person, before, request, address }, { isProven: true })
        return loginResponse(person)
      },
      {
        visitor: true,
        says: 'Logs a browser in with an email address and a password.',
        body: LoginRequest,
        response: { 200: LoginResponse, ...errorResponses },
      },
    )
    .post(
      '/api/auth/proof',
      async ({ body, request, person, address }) => {
        await provePerson(ctx, person, body, { address, device: readDeviceCookie(ctx, request) })
        return done
      },
      {
        person: true,
        says: 'Confirms it’s you, for the next ten minutes.',
        body: ProofRequest,
        response: { 200: Done, ...errorResponses },
      },
    )
    .post(
      '/api/auth/logout',
      ({ person, address, set }) => {
        set.headers['set-cookie'] = endLogin(person, address)
        return done
      },
      { visitor: true, says: 'Logs this browser out.', response: { 200: Done, ...errorResponses } },
    )
    .get(
      '/api/logout',
      async ({ person, address, request, redirect, set }) => {
        if (request.method !== 'HEAD' && isFromOwnSite(ctx, request, 'same-site') && isNavigation(request)) {
          // Only requests that may have a body have waited for this before they get here.
          if (person !== null) await whenWritable(ctx)
          set.headers['set-cookie'] = endLogin(person, address)
        }
        return redirect('/', 303)
      },
      {
        visitor: true,
        says: 'Logs this browser out and goes back to the site.',
        response: { 303: v.void(), ...errorResponses },
      },
    )
    .post(
      '/api/auth/forgot-password',
      ({ body, address }) => {
        limitPublicForm(ctx, 'forgot-password', address)
        forgotPassword(ctx, body.email, address)
        return done
      },
      {
        visitor: true,
        says: 'Emails a link to choose a new password.',
        body: ForgotPasswordRequest,
        response: { 200: Done, ...errorResponses },
      },
    )
    .post(
      '/api/auth/reset-password',
      async ({ body, request, address, set }) => {
        const caller = { address, device: readDeviceCookie(ctx, request) }
        set.headers['set-cookie'] = await resetPassword(ctx, body, caller)
        return done
      },
      {
        visitor: true,
        says: 'Sets a new password with the link from the email.',
        body: ResetPasswordRequest,
        response: { 200: Done, ...errorResponses },
      },
    )
    .post('/api/auth/reset-password/check', ({ body }) => describeResetLink(ctx, body.token), {
      open: true,
      says: 'Checks whether a password link still works, and whose it is.',
      body: ResetLinkRequest,
      response: { 200: ResetLink, ...errorResponses },
    })
    .post('/api/auth/set-password', ({ body, person, address }) => setFirstPassword(ctx, person, body, address), {
      person: true,
      says: 'Sets the first password of a new account.',
      body: SetPasswordRequest,
      response: { 200: PasswordSet, ...errorResponses },
    })
    .post(
      '/api/auth/change-password',
      async ({ body, request, person, address, set }) => {
        const device = readDeviceCookie(ctx, request)
        const stored = await changePassword(ctx, person, body, { address, device })
        set.headers['set-cookie'] = rememberDevice(ctx, person.id, device)
        return stored
      },
      {
        person: true,
        says: 'Changes your password and logs out your other devices.',
        body: ChangePasswordRequest,
        response: { 200: PasswordSet, ...errorResponses },
      },
    )
    .post(
      '/api/auth/token',
      async ({ body, request, address, person: before }) => {
        const caller = { address, device: readDeviceCookie(ctx, request), userId: before?.id }
        const person = await checkLogin(ctx, body, caller)
        await assertSecondFactor(ctx, person, { code: body.code, address })
        assertFactorSet(ctx, person)
        const name = body.name ?? 'terminal'
        return transact(ctx, () => {
          countLogin(ctx, person.id)
          auditAuth(ctx, 'auth.token', { userId: person.id, address, name })
          return { ...issueApiToken(ctx, person.id, name, { isProven: true }), email: person.email }
        })
      },
      {
        visitor: true,
        says: 'Logs a terminal or program in and returns its token.',
        body: TokenRequest,
        response: { 200: TokenResponse, ...errorResponses },
      },
    )
    .delete(
      '/api/auth/token',
      ({ person, address }) => {
        revokeOwnToken(ctx, person, address)
        return done
      },
      { person: true, says: 'Ends the token that makes this request.', response: { 200: Done, ...errorResponses } },
    )
}
