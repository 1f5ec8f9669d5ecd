import type { Context } from '#api/context.ts'
import { notFound } from '#api/errors.ts'
import { sandboxProxyPath } from './provider-service.ts'

/** What a browser may reach: the card calls that the publishable key allows, and the pages for people. */
const allowedPaths = [
  /^\/v1\/payment_methods$/,
  /^\/v1\/(payment|setup)_intents\/\w+(\/confirm)?$/,
  /^\/(3ds|paypal)\/\w+(\/(complete|fail))?$/,
  /^\/invoice\/\w+(\/pdf)?$/,
  /^\/credit_note\/\w+\/pdf$/,
  /^\/style\.css$/,
]

/** Forwards a browser's request to the sandbox, so that it is reachable wherever the site is. */
export async function proxyToSandbox(ctx: Context, request: Request, body: string | null): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const path = pathname.slice(sandboxProxyPath.length)
  if (!allowedPaths.some((pattern) => pattern.test(path))) throw notFound()
  const headers = new Headers()
  for (const name of ['authorization', 'content-type', 'idempotency-key']) {
    const value = request.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  const isPublishable = headers.get('authorization') === `Bearer ${ctx.settings.stripe.publishableKey}`
  if (path.startsWith('/v1/') && !isPublishable) throw notFound()
  const response = await fetch(`http://127.0.0.1:${ctx.settings.sandboxPort}${path}${search}`, {
    method: request.method,
    headers,
    body,
    redirect: 'manual',
  })
  const location = response.headers.get('location')
  return new Response(response.body, {
    status: response.status,
    headers: {
      'content-type': response.headers.get('content-type') ?? 'text/plain',
      'cache-control': 'no-store',
      ...(location === null ? {} : { location }),
    },
  })
}
