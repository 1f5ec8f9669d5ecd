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
} from '#shared/contract/sandbox.ts'
import { changeChaos, readChaos } from './chaos-service.ts'
import { advanceSandbox } from './clock-service.ts'
import { renderMailbox } from './mailbox-service.ts'
import { proxyToSandbox } from './proxy-service.ts'

/** The sandbox's clock and webhook chaos, for owners. They are always mounted, and respond with 404 where there is no sandbox. */
export const sandboxControlRoutes = (ctx: Context) =>
  new Elysia({ name: 'sandbox-control' })
    .use(session(ctx))
    .post(
      '/api/admin/sandbox/advance',
      ({ owner, body, request, server }) => {
        // Moving by months takes longer than the server's idle timeout.
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

/** The mailbox, and the proxy to the payment sandbox for browsers; mounted in the sandbox only. */
export const sandboxRoutes = (ctx: Context) =>
  new Elysia({ name: 'sandbox' })
    .use(session(ctx))
    .get(
      '/sandbox/mail',
      ({ request }) => {
        const mails = listMailbox(ctx)
        const wantsJson = (request.headers.get('accept') ?? '').includes('application/json')
        if (wantsJson) return Response.json(mails)
        return new Response(renderMailbox(mails), { headers: { 'content-type': 'text/html; charset=utf-8' } })
      },
      // In production it holds other people's links, so it is the owners'.
      ctx.settings.isProduction ? { owner: true } : { open: true },
    )
    .get('/sandbox/stripe/*', ({ request }) => proxyToSandbox(ctx, request, null), { open: true })
    .post('/sandbox/stripe/*', ({ request, body }) => proxyToSandbox(ctx, request, body), {
      open: true,
      body: v.string(),
    })
