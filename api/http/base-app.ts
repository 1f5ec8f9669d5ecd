import { type AnyElysia, Elysia } from 'elysia'
import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import { sandboxPushPath } from '#api/push/hosts.ts'
import { closedPolicy } from '#api/serving/closed-policy.ts'
import { isPostedForm, sharePath, unsubscribePath, webhookPath } from '#api/serving/paths.ts'
import { providerDeadlineMs, withProviderDeadline } from '#api/stripe/deadline.ts'
import { redirectToCanonicalPath } from './canonical-path.ts'
import { errorResponse, loginRedirect } from './error-responses.ts'
import { isForLater, readJsonBody, readTextBody, whenRouteWritable } from './request-body.ts'
import { assertRequestAllowed, keepQueryAsTyped, pathOf } from './request-checks.ts'
import { createUnknownCheck } from './strict-requests.ts'

export type BaseAppOptions = {
  headers?: () => Record<string, string>
  /** How long a request waits for Stripe at most. */
  deadlineMs?: number | undefined
}

const noHeaders = () => ({})

const apiHeaders = { 'cache-control': 'private, no-store', 'content-security-policy': closedPolicy }

/** Applies to every request and response: headers, checks, bodies, errors and the time limit for Stripe. */
export function createBaseApp(
  ctx: Context,
  { headers = noHeaders, deadlineMs = providerDeadlineMs }: BaseAppOptions = {},
): AnyElysia {
  // Without `standardHostname: false`, Elysia searches for the path from a fixed offset, which skips the first slash if the Host
  // is short.
  const app = new Elysia({ normalize: true, handler: { standardHostname: false } })
  const assertAllKnown = createUnknownCheck(() => app.routes)
  return app
    .onRequest(({ request, set }) => {
      const forPages = { ...headers(), 'x-request-id': ctx.newId() }
      // Set these even for an invalid URL, since it may have been an API call.
      set.headers = { ...forPages, ...apiHeaders }
      const path = pathOf(request)
      if (!path.startsWith('/api/')) set.headers = forPages
      const redirect = redirectToCanonicalPath(request)
      if (redirect) return redirect
      assertRequestAllowed(ctx, request, path)
    })
    .onParse({ as: 'global' }, async ({ request, path, route }) => {
      const body = await parseBody(request, path, route)
      await whenRouteWritable(ctx, path)
      return body
    })
    .onTransform({ as: 'global' }, ({ query, request }) => keepQueryAsTyped({ query, request }))
    .onBeforeHandle({ as: 'global' }, ({ route, request, query, body }) =>
      assertAllKnown({ route, request, query, body }),
    )
    .onError({ as: 'global' }, ({ error, set, request, path }) => answerError(ctx, { error, set, request, path }))
    .wrap((handle) => (request: Request) => withProviderDeadline(deadlineMs, () => handle(request)))
}

type Failed = {
  error: unknown
  request: Request
  path: string
  set: { status?: unknown; headers: Record<string, string | number | undefined> }
}

function answerError(ctx: Context, { error, set, request, path }: Failed) {
  const login = loginRedirect(request, path, error)
  if (login !== null) {
    set.status = 303
    set.headers.location = login
    return ''
  }
  const { status, body, retryAfter } = errorResponse(ctx, error, String(set.headers['x-request-id'] ?? ''))
  set.status = status
  if (retryAfter !== undefined) set.headers['retry-after'] = String(retryAfter)
  set.headers['content-security-policy'] = closedPolicy
  return body
}

/**
 * JSON, except for the webhook (its signature covers the raw text) and for forms from mail programs, pages without scripts and the sandbox. Potentially
 * large bodies are read after authentication. If no route matches, we read none.
 */
function parseBody(request: Request, path: string, route: string): Promise<unknown> | null {
  if (route === anyPath || isForLater(request, path) || isUnread(request, path)) return null
  const isText = path === webhookPath || path === unsubscribePath || isPostedForm(path) || path.startsWith('/sandbox/')
  return isText ? readTextBody(request) : readJsonBody(request)
}

/** The sandbox's push service gets bytes, as every push service does. What a share sheet sends isn't read at all. */
const isUnread = (request: Request, path: string) =>
  request.method === 'POST' && (path === sharePath || path.startsWith(`${sandboxPushPath}/`))

export const anyPath = '/*'

export function throwNothingHere(): never {
  throw new AppError('not_found', 'There’s nothing at this address.')
}

/** Denies by default: an app with an unguarded route isn't built. */
export function assertEveryRouteGuarded(
  routes: readonly { method: string; path: string; hooks: { detail?: { security?: unknown } } }[],
): void {
  const unguarded = routes.filter(({ hooks }) => hooks.detail?.security === undefined)
  if (unguarded.length > 0) {
    throw new Error(`Routes without a guard: ${unguarded.map(({ method, path }) => `${method} ${path}`).join(', ')}`)
  }
}
