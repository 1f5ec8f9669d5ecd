import { Elysia } from 'elysia'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { session } from '#api/http/session.ts'
import { listMailbox } from '#api/mail/mailbox.ts'
import {
  SandboxAdvanceRequest,
  SandboxAdvanceResponse,
  SandboxChaosRequest,
  SandboxChaosResponse,
} from '#shared/contract/admin.ts'
import { advanceSandbox } from './advance.ts'
import { changeChaos, readChaos } from './chaos.ts'
import { mailPage } from './mail-page.ts'
import { passToSandbox } from './proxy.ts'

/** The sandbox's clock and disorder are calls like any other: they answer 404 where there is no sandbox. */
export const advanceRoutes = (ctx: Context) =>
  new Elysia({ name: 'advance' })
    .use(session(ctx))
    .post(
      '/api/admin/sandbox/advance',
      ({ owner, body, request, server }) => {
        // Months take longer than a silent connection is kept otherwise.
        server?.timeout(request, 0)
        return advanceSandbox(ctx, owner, body.by)
      },
      { owner: true, body: SandboxAdvanceRequest, response: { 200: SandboxAdvanceResponse, ...errorResponses } },
    )
    .get('/api/admin/sandbox/chaos', () => readChaos(ctx), {
      owner: true,
      response: { 200: SandboxChaosResponse, ...errorResponses },
    })
    .post('/api/admin/sandbox/chaos', ({ owner, body }) => changeChaos(ctx, owner, body.on), {
      owner: true,
      body: SandboxChaosRequest,
      response: { 200: SandboxChaosResponse, ...errorResponses },
    })

/** The mailbox and the browser's way to the payment sandbox; mounted in the sandbox only. */
export const sandboxRoutes = (ctx: Context) =>
  new Elysia({ name: 'sandbox' })
    .use(session(ctx))
    .get(
      '/sandbox/mail',
      ({ request }) => {
        const mails = listMailbox(ctx)
        const wantsJson = (request.headers.get('accept') ?? '').includes('application/json')
        if (wantsJson) return Response.json(mails)
        return new Response(mailPage(mails), { headers: { 'content-type': 'text/html; charset=utf-8' } })
      },
      { open: true },
    )
    .get('/sandbox/stripe/*', ({ request }) => passToSandbox(ctx, request, null), { open: true })
    .post('/sandbox/stripe/*', ({ request, body }) => passToSandbox(ctx, request, body), {
      open: true,
      body: v.string(),
    })
