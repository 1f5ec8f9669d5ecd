import type { Context } from '#api/context.ts'
import { notFound } from '#api/errors.ts'
import { sandboxProxyPath } from './provider.ts'

/** What a browser may reach: the card calls that the publishable key opens, and the pages for people. */
const open = [
  /^\/v1\/payment_methods$/,
  /^\/v1\/(payment|setup)_intents\/\w+(\/confirm)?$/,
  /^\/(3ds|paypal)\/\w+(\/(complete|fail))?$/,
  /^\/invoice\/\w+(\/pdf)?$/,
  /^\/credit_note\/\w+\/pdf$/,
  /^\/style\.css$/,
]

/** Passes a browser's request on to the sandbox, so that it is reachable wherever the site is. */
export async function passToSandbox(ctx: Context, request: Request, body: string | null): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const path = pathname.slice(sandboxProxyPath.length)
  if (!open.some((pattern) => pattern.test(path))) throw notFound()
  const headers = new Headers()
  for (const name of ['authorization', 'content-type', 'idempotency-key']) {
    const value = request.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  const isPublishable = headers.get('authorization') === `Bearer ${ctx.settings.stripe.publishableKey}`
  if (path.startsWith('/v1/') && !isPublishable) throw notFound()
  const answer = await fetch(`http://127.0.0.1:${ctx.settings.sandboxPort}${path}${search}`, {
    method: request.method,
    headers,
    body,
    redirect: 'manual',
  })
  const location = answer.headers.get('location')
  return new Response(answer.body, {
    status: answer.status,
    headers: {
      'content-type': answer.headers.get('content-type') ?? 'text/plain',
      'cache-control': 'no-store',
      ...(location === null ? {} : { location }),
    },
  })
}
