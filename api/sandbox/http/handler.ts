import type { Engine } from '#api/sandbox/engine.ts'
import { ApiError, errorText } from '#api/sandbox/errors.ts'
import { renderPage } from '#api/sandbox/http/pages/pages.ts'
import { parseForm } from '#api/sandbox/resources/form.ts'
import { newId } from '#api/sandbox/store/ids.ts'
import { busyMs, untilWritable } from '#api/sandbox/store/store.ts'
import { apiVersion } from '#api/sandbox/webhooks/events.ts'
import type { Fault, Faults } from './control.ts'
import { type ApiRequest, executeRequest, storeFailure, unknownPath } from './execute.ts'
import type { ApiResponse } from './idempotency.ts'
import { callerOf } from './keys.ts'

export type HandlerContext = {
  engine: Engine
  faults: Faults
  control: (request: Request, path: string) => Promise<Response>
  /** The wall clock, for the Date header. */
  now: () => Date
  /** Receives the cause of a failed request, which the response doesn't reveal. */
  onFailure: (error: unknown, requestId: string) => void
}

type ApiContext = HandlerContext & { keysInUse: Set<string> }

const serverErrorBody = { type: 'api_error', message: 'An error occurred on our side.' }

function toHttpResponse(response: ApiResponse, requestId: string, key: string | null = null): Response {
  return new Response(response.body, {
    status: response.status,
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-cache, no-store',
      'Request-Id': requestId,
      'Stripe-Version': apiVersion,
      ...(key === null ? {} : { 'Idempotency-Key': key }),
      ...(response.isReplay === true ? { 'Idempotent-Replayed': 'true' } : {}),
      ...(response.original ? { 'Original-Request': response.original } : {}),
    },
  })
}

function dated(response: Response, at: number): Response {
  if (!response.headers.has('Date')) response.headers.set('Date', new Date(at).toUTCString())
  return response
}

const failure: ApiResponse = { status: 500, body: JSON.stringify({ error: serverErrorBody }) }
const serverError = (requestId: string) => toHttpResponse(failure, requestId)

async function hangUntilAborted({ signal }: Request, requestId: string): Promise<Response> {
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
  return serverError(requestId)
}

function cutConnection(): Response {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{'))
      // Without a reason, Bun cuts the connection silently.
      queueMicrotask(() => controller.error(undefined))
    },
  })
  return new Response(body, { status: 200, headers: { 'Content-Type': 'application/json' } })
}

async function readRequest(request: Request, url: URL): Promise<ApiRequest> {
  const params = parseForm([url.search.slice(1), await request.text()].filter((part) => part !== '').join('&'))
  const caller = callerOf(request.method, request.headers.get('authorization'), params)
  return { method: request.method, path: url.pathname, caller, params }
}

/** A delayed request counts as in progress, so another with its idempotency key is rejected. */
async function delayRequest(keysInUse: Set<string>, key: string | null, ms: number): Promise<void> {
  if (key !== null) keysInUse.add(key)
  await Bun.sleep(ms)
  if (key !== null) keysInUse.delete(key)
}

function keyInUse(key: string): ApiError {
  return new ApiError(409, {
    type: 'idempotency_error',
    code: 'idempotency_key_in_use',
    message: `There is currently another in-progress request using this Stripe idempotency key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
  })
}

function refusedByFault({ status, code, param, message }: Fault): ApiError {
  return new ApiError(status, {
    type: 'invalid_request_error',
    message,
    ...(code === undefined ? {} : { code }),
    ...(param === undefined ? {} : { param }),
  })
}

/** Accepts any well-formed version. The response says which one it uses. */
function assertVersion(request: Request): void {
  const version = request.headers.get('stripe-version')
  if (version === null || /^\d{4}-\d{2}-\d{2}(\.[a-z_]+)?(;.*)?$/.test(version)) return
  throw new ApiError(400, { type: 'invalid_request_error', message: `Invalid Stripe API version: ${version}` })
}

async function handleApi(
  { engine, faults, keysInUse, now }: ApiContext,
  request: Request,
  url: URL,
): Promise<Response> {
  const requestId = newId('req')
  const parsed = await readRequest(request, url)
  assertVersion(request)
  const idempotencyKey = request.headers.get('idempotency-key')
  if (idempotencyKey !== null && keysInUse.has(idempotencyKey)) throw keyInUse(idempotencyKey)
  const fault: Fault | null = faults.take(request.method, url.pathname)
  if (fault?.kind === 'delay')
    await delayRequest(keysInUse, request.method === 'POST' ? idempotencyKey : null, fault.ms)
  const ctx = () => engine.context({ id: requestId, idempotencyKey })
  if (fault?.kind === 'error') {
    storeFailure(ctx(), parsed, failure, false)
    return serverError(requestId)
  }
  if (fault?.kind === 'refuse') throw refusedByFault(fault)
  if (fault?.kind === 'hang') return hangUntilAborted(request, requestId)
  engine.runDueTimers()
  const response = executeRequest(ctx(), parsed)
  engine.deliveries.wake()
  engine.advanceTestClocks()
  if (fault?.kind === 'lost') return cutConnection()
  if (fault?.kind === 'hang_after') return hangUntilAborted(request, requestId)
  if (fault?.kind === 'date')
    return dated(toHttpResponse(response, requestId, idempotencyKey), now().getTime() + fault.ms)
  if (fault?.kind !== 'error_after') return toHttpResponse(response, requestId, idempotencyKey)
  if (response.isReplay !== true) storeFailure(ctx(), parsed, failure, true)
  return serverError(requestId)
}

async function dispatch(context: ApiContext, request: Request): Promise<Response> {
  const url = new URL(request.url)
  if (request.method !== 'GET') await untilWritable(context.engine.store, busyMs)
  if (url.pathname.startsWith('/_sandbox/')) {
    if (callerOf(request.method, request.headers.get('authorization'), {}) === 'secret')
      return context.control(request, url.pathname)
    throw new ApiError(403, { type: 'invalid_request_error', message: 'The controls need the secret key.' })
  }
  if (!url.pathname.startsWith('/v1/')) {
    const form = request.method === 'POST' ? parseForm(await request.text()) : {}
    context.engine.runDueTimers()
    const ctx = context.engine.context({ id: null, idempotencyKey: null })
    const page = renderPage(ctx, { method: request.method, path: url.pathname, form })
    context.engine.deliveries.wake()
    if (page === null) throw unknownPath(request.method, url.pathname)
    return page
  }
  return handleApi(context, request, url)
}

export function createHandler(context: HandlerContext): (request: Request) => Promise<Response> {
  const keysInUse = new Set<string>()
  return async (request) => {
    try {
      return dated(await dispatch({ ...context, keysInUse }, request), context.now().getTime())
    } catch (error) {
      const requestId = newId('req')
      if (error instanceof ApiError) {
        const response = toHttpResponse({ status: error.status, body: errorText(error.body) }, requestId)
        return dated(response, context.now().getTime())
      }
      context.onFailure(error, requestId)
      return dated(serverError(requestId), context.now().getTime())
    }
  }
}
