import { Elysia } from 'elysia'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { mailboxStyle } from '#api/documents/mailbox-page.ts'
import { sampleStyle } from '#api/documents/sample-page.ts'
import { tourPath, tourStyle } from '#api/documents/tour-page.ts'
import { brandedStyle } from '#api/features/site/brand/service.ts'
import { errorResponses } from '#api/http/error-responses.ts'
import { fontOf, type Site } from '#api/http/page-cache.ts'
import { session } from '#api/http/session.ts'
import { personById } from '#api/identity/person.ts'
import {
  SandboxAdvanceRequest,
  SandboxAdvanceResponse,
  SandboxChaosRequest,
  SandboxChaosResponse,
} from '#shared/contract/sandbox.ts'
import { changeChaos, readChaos } from './chaos-service.ts'
import { advanceSandbox } from './clock-service.ts'
import { respondWithMail, respondWithMailbox, respondWithMailHtml } from './mailbox-service.ts'
import { proxyToSandbox } from './provider-service.ts'
import { changePhone, endPhone, listPushes, receivePush, registerPhone } from './push-service.ts'
import { respondWithSamplePage } from './sample-service.ts'
import { runTourAction, tourVisitor } from './tour-action-service.ts'
import { respondWithTour, tourActionPath } from './tour-service.ts'

/** The sandbox's clock and webhook chaos, for owners. Always mounted; returns 404 without a sandbox. */
export const sandboxControlRoutes = (ctx: Context) =>
  new Elysia({ name: 'sandbox-control', tags: ['Sandbox'] })
    .use(session(ctx))
    .post(
      '/api/admin/sandbox/advance',
      ({ owner, body, request, server }) => {
        // Moving the clock by months takes longer than the server's idle timeout.
        server?.timeout(request, 0)
        return advanceSandbox(ctx, owner, body.by)
      },
      {
        owner: 'play money',
        says: 'Moves the sandbox’s clock forward.',
        audit: 'sandbox.advance',
        body: SandboxAdvanceRequest,
        response: { 200: SandboxAdvanceResponse, ...errorResponses },
      },
    )
    .get('/api/admin/sandbox/chaos', () => readChaos(ctx), {
      owner: true,
      says: 'Shows whether the sandbox sends events twice and out of order.',
      response: { 200: SandboxChaosResponse, ...errorResponses },
    })
    .post('/api/admin/sandbox/chaos', ({ owner, body }) => changeChaos(ctx, owner, body.on), {
      owner: 'play money',
      says: 'Starts or stops sending events twice and out of order.',
      audit: 'sandbox.chaos',
      body: SandboxChaosRequest,
      response: { 200: SandboxChaosResponse, ...errorResponses },
    })

/** The tour, the mailbox and the browsers' proxy to the payment sandbox. Mounted in the sandbox only. */
export function sandboxRoutes(ctx: Context, site?: Site) {
  const font = fontOf(site)
  const style = brandedStyle(ctx, font, mailboxStyle)
  // In production the mailbox holds other people's links, so only owners may read it.
  const readers = ctx.settings.isProduction ? { owner: true as const } : { open: true as const }
  const sample = brandedStyle(ctx, font, sampleStyle)
  return new Elysia({ name: 'sandbox' })
    .use(session(ctx))
    .use(tourRoutes(ctx, font))
    .use(pushServiceRoutes(ctx))
    .get('/sandbox/pages/:name', ({ params }) => respondWithSamplePage(sample(), params.name), { open: true })
    .get(
      '/sandbox/mail',
      ({ request, query: { before } }) => {
        const wantsJson = (request.headers.get('accept') ?? '').includes('application/json')
        return respondWithMailbox(ctx, { style: style(), wantsJson, before })
      },
      { ...readers, query: v.object({ before: v.optional(v.string()) }) },
    )
    .get('/sandbox/mail/:id', ({ params }) => respondWithMail(ctx, style(), params.id), { ...readers })
    .get('/sandbox/mail/:id/html', ({ params }) => respondWithMailHtml(ctx, params.id), { ...readers })
    .get('/sandbox/stripe/*', ({ request }) => proxyToSandbox(ctx, request, null), { open: true })
    .post('/sandbox/stripe/*', ({ request, body }) => proxyToSandbox(ctx, request, body), {
      open: true,
      body: v.string(),
    })
}

/** A push service of its own: no other can be reached from a machine on which things are tried out. */
function pushServiceRoutes(ctx: Context) {
  // Notices name no one, but whose phone got which is for owners, as the mailbox is.
  const readers = ctx.settings.isProduction ? { owner: true as const } : { open: true as const }
  const body = v.string()
  return new Elysia({ name: 'sandbox-push' })
    .use(session(ctx))
    .get('/sandbox/push', () => listPushes(ctx), { ...readers })
    .get('/sandbox/push/:phone', ({ params }) => listPushes(ctx, params.phone), { ...readers })
    .post('/sandbox/push', ({ body }) => registerPhone(ctx, body), { open: true, body })
    .put('/sandbox/push/:phone', ({ params, body }) => changePhone(ctx, params.phone, body), { open: true, body })
    .delete('/sandbox/push/:phone', ({ params }) => endPhone(ctx, params.phone), { open: true })
    .post('/sandbox/push/:phone', ({ params, request }) => receivePush(ctx, params.phone, request), { open: true })
}

/** The sandbox's story and its buttons. In production only owners get it, as the buttons move everyone's clock. */
function tourRoutes(ctx: Context, font: string) {
  const style = brandedStyle(ctx, font, tourStyle)
  const routes = new Elysia({ name: 'sandbox-tour' }).use(session(ctx))
  if (ctx.settings.isProduction) {
    return routes
      .get(tourPath, ({ owner }) => respondWithTour(ctx, style(), personById(ctx, owner.userId ?? '')), { owner: true })
      .post(
        tourActionPath,
        ({ owner, body, request, server }) => {
          server?.timeout(request, 0)
          return runTourAction(ctx, owner, body)
        },
        { owner: true, body: v.string() },
      )
  }
  return routes
    .get(tourPath, ({ person }) => respondWithTour(ctx, style(), person), { visitor: true })
    .post(
      tourActionPath,
      ({ body, request, server }) => {
        server?.timeout(request, 0)
        return runTourAction(ctx, tourVisitor, body)
      },
      { open: true, body: v.string() },
    )
}
