import { Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { openLogin } from '#api/features/accounts/login/login-service.ts'
import { loginResponse } from '#api/features/accounts/login/service.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { session } from '#api/http/session.ts'
import { codeCookie, readCodeCookie } from '#api/identity/session-cookies.ts'
import { limitPublicForm } from '#api/serving/rate-limits.ts'
import { CodeLoginResponse, Done, LoginResponse, OwnerLinkRequest } from '#shared/contract/auth.ts'
import {
  AddPasskeyRequest,
  AuthenticatorRequest,
  AuthenticatorSetup,
  CodeLoginRequest,
  CodeRequest,
  FactorReset,
  NewPasskeyQuestion,
  PasskeyLoginRequest,
  PasskeyParams,
  PasskeyQuestion,
  RecoveryCodes,
  SignInWays,
} from '#shared/contract/sign-in.ts'
import { askWithPasskey, personOfPasskey } from './assertion-service.ts'
import {
  accountOf,
  beginAuthenticator,
  confirmAuthenticator,
  removeAuthenticator,
  renewRecoveryCodes,
  resetFactor,
} from './authenticator-service.ts'
import { askForCode, codeMinutes, redeemCode } from './code-service.ts'
import { addPasskey, askForPasskey, removePasskey } from './passkey-service.ts'
import { assertMayChangeWays, proveByCode, signInWays } from './service.ts'

/** An owner's own second factor. Reachable before they have one if the settings require it. */
const secondFactorRoutes = (ctx: Context) =>
  new Elysia({ name: 'second-factor', tags: ['Logging in'] })
    .use(session(ctx))
    .post('/api/admin/second-factor', ({ owner }) => beginAuthenticator(ctx, accountOf(ctx, owner)), {
      provenOwner: 'setting-up',
      says: 'Starts setting up an authenticator app for an owner.',
      audit: null,
      response: { 200: AuthenticatorSetup, ...errorResponses },
    })
    .post(
      '/api/admin/second-factor/confirm',
      ({ owner, body, address }) => confirmAuthenticator(ctx, accountOf(ctx, owner), { ...body, address }),
      {
        provenOwner: 'setting-up',
        says: 'Switches two-step login on with the app’s first code.',
        audit: 'auth.factor_set',
        body: AuthenticatorRequest,
        response: { 200: RecoveryCodes, ...errorResponses },
      },
    )
    .delete(
      '/api/admin/second-factor',
      ({ owner, address }) => {
        removeAuthenticator(ctx, accountOf(ctx, owner), address)
        return { success: true as const }
      },
      {
        provenOwner: true,
        says: 'Removes an owner’s authenticator app.',
        audit: 'auth.factor_removed',
        response: { 200: Done, ...errorResponses },
      },
    )
    .post(
      '/api/admin/second-factor/recovery-codes',
      ({ owner, address }) => renewRecoveryCodes(ctx, accountOf(ctx, owner), address),
      {
        provenOwner: true,
        says: 'Makes ten new recovery codes and drops the old ones.',
        audit: 'auth.recovery_made',
        response: { 200: RecoveryCodes, ...errorResponses },
      },
    )
    .post('/api/admin/owners/second-factor-reset', ({ owner, body }) => resetFactor(ctx, owner, body.email), {
      owner: 'only the machine’s own terminal can do it',
      says: 'Resets an owner’s two-step login, at the server only.',
      audit: 'owner.factor_reset',
      tags: ['Owners and logins'],
      body: OwnerLinkRequest,
      response: { 200: FactorReset, ...errorResponses },
    })

const done = { success: true } as const

export const signInRoutes = (ctx: Context) =>
  new Elysia({ name: 'sign-in', tags: ['Your account'] })
    .use(session(ctx))
    .use(secondFactorRoutes(ctx))
    .post(
      '/api/auth/code',
      ({ body, request, address, set }) => {
        limitPublicForm(ctx, 'code', address)
        const token = askForCode(ctx, { ...body, address, browser: readCodeCookie(ctx, request) })
        set.headers['set-cookie'] = codeCookie(ctx, token, codeMinutes * 60)
        return done
      },
      {
        visitor: true,
        says: 'Emails a login code with six digits.',
        tags: ['Logging in'],
        body: CodeRequest,
        response: { 200: Done, ...errorResponses },
      },
    )
    .post(
      '/api/auth/code/login',
      ({ body, request, address, person: before, set }) => {
        const found = redeemCode(ctx, { ...body, address, browser: readCodeCookie(ctx, request) })
        const { person, isPasswordRemoved } = proveByCode(ctx, { person: found, before, address })
        // A code proves the mailbox, not the password. Actions that need a proof still ask.
        const cookies = openLogin(ctx, { person, before, request, address }, { isProven: false, how: 'code by email' })
        set.headers['set-cookie'] = [...cookies, codeCookie(ctx, '', 0)]
        return { ...loginResponse(person), isPasswordRemoved }
      },
      {
        visitor: true,
        says: 'Logs a browser in with the code from that email.',
        tags: ['Logging in'],
        body: CodeLoginRequest,
        response: { 200: CodeLoginResponse, ...errorResponses },
      },
    )
    .post('/api/auth/passkey', () => askWithPasskey(ctx), {
      visitor: true,
      says: 'Returns what a device needs to log in with a passkey.',
      tags: ['Logging in'],
      response: { 200: PasskeyQuestion, ...errorResponses },
    })
    .post(
      '/api/auth/passkey/login',
      async ({ body, request, address, person: before, set }) => {
        const person = await personOfPasskey(ctx, body.answer, address)
        const login = { person, before, request, address }
        set.headers['set-cookie'] = openLogin(ctx, login, { isProven: true, how: 'passkey' })
        return loginResponse(person)
      },
      {
        visitor: true,
        says: 'Logs a browser in with a passkey.',
        tags: ['Logging in'],
        body: PasskeyLoginRequest,
        response: { 200: LoginResponse, ...errorResponses },
      },
    )
    .get('/api/user/sign-in', ({ person }) => signInWays(ctx, person), {
      person: true,
      says: 'Shows how you can log in: password, passkeys, two-step login.',
      response: { 200: SignInWays, ...errorResponses },
    })
    .post(
      '/api/user/passkeys/new',
      ({ person }) => {
        assertMayChangeWays(ctx, person)
        return askForPasskey(ctx, person)
      },
      {
        person: true,
        says: 'Returns what a device needs to make a passkey.',
        response: { 200: NewPasskeyQuestion, ...errorResponses },
      },
    )
    .post(
      '/api/user/passkeys',
      ({ body, person, address }) => {
        assertMayChangeWays(ctx, person)
        return addPasskey(ctx, person, { ...body, address })
      },
      {
        person: true,
        says: 'Saves a new passkey.',
        body: AddPasskeyRequest,
        response: { 200: RecoveryCodes, ...errorResponses },
      },
    )
    .delete(
      '/api/user/passkeys/:id',
      ({ params, person, address }) => {
        assertMayChangeWays(ctx, person)
        removePasskey(ctx, person, { ...params, address })
        return done
      },
      { person: true, says: 'Removes a passkey.', params: PasskeyParams, response: { 200: Done, ...errorResponses } },
    )
