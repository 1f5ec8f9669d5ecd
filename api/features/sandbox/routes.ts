import { Elysia } from 'elysia'
import * as v from 'valibot'
import type { Context } from '#api/context.ts'
import { refusals } from '#api/http/answers.ts'
import { session } from '#api/http/session.ts'
import { listMailbox } from '#api/mail/mailbox.ts'
import { SandboxAdvanceAnswer, SandboxAdvanceRequest } from '#shared/contract/admin.ts'
import { advanceSandbox } from './advance.ts'
import { mailPage } from './mail-page.ts'
import { passToSandbox } from './proxy.ts'

/** Moving the clock is a call like any other: it answers 404 where there is no sandbox. */
export const advanceRoutes = (ctx: Context) =>
  new Elysia({ name: 'advance' })
    .use(session(ctx))
    .post('/api/admin/sandbox/advance', ({ owner, body }) => advanceSandbox(ctx, owner, body.by), {
      owner: true,
      body: SandboxAdvanceRequest,
      response: { 200: SandboxAdvanceAnswer, ...refusals },
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
