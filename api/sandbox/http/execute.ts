import { ApiError, beforeStart, type ErrorBody, errorText } from '#api/sandbox/errors.ts'
import { type FormValue, textField } from '#api/sandbox/resources/form.ts'
import { omitFields } from '#api/sandbox/resources/route.ts'
import { findRoute, type Match } from '#api/sandbox/resources/routes.ts'
import { atClockTime, type Context } from '#api/sandbox/store/context.ts'
import { noSuchObject } from '#api/sandbox/store/no-such-object.ts'
import { presentObject } from '#api/sandbox/store/present.ts'
import { findPublic, savepoint, transact } from '#api/sandbox/store/store.ts'
import {
  type ApiResponse,
  assertKeyLength,
  findStoredResponse,
  fingerprint,
  type KeyedRequest,
  storeResponse,
} from './idempotency.ts'
import { type Caller, errorForBrowser, objectForBrowser } from './keys.ts'

export type ApiRequest = {
  method: string
  path: string
  caller: Caller
  params: FormValue
}

function errorResponse(status: number, error: ErrorBody): ApiResponse {
  return { status, body: errorText(error) }
}

export function unknownPath(method: string, path: string): ApiError {
  return new ApiError(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${method}: ${path}). The sandbox answers a part of Stripe's API only.`,
  })
}

function assertOpenToBrowser(ctx: Context, request: ApiRequest, { route, ids }: Match): void {
  if (request.caller === 'secret') return
  if (route.browserFields === null) {
    throw new ApiError(403, {
      type: 'invalid_request_error',
      code: 'secret_key_required',
      message: 'This API call cannot be made with a publishable API key. Please use a secret API key.',
    })
  }
  const [id] = ids
  if (id === undefined) return
  const object = findPublic(ctx.store, id)
  if (object === null || object.client_secret !== textField(request.params, 'client_secret')) {
    throw noSuchObject(id.startsWith('seti_') ? 'setup_intent' : 'payment_intent', id)
  }
}

function namedIds(params: FormValue): string[] {
  if (typeof params === 'string' || Array.isArray(params)) return []
  return Object.values(params).filter((value) => typeof value === 'string')
}

function runRequest(ctx: Context, request: ApiRequest): ApiResponse {
  const match = findRoute(request.method, request.path)
  if (match === null) throw beforeStart(unknownPath(request.method, request.path))
  assertOpenToBrowser(ctx, request, match)
  const fields = match.route.browserFields ?? []
  const clockCtx = atClockTime(ctx, [...match.ids, ...namedIds(request.params)])
  const { outcome, expand } = match.route.run(
    clockCtx,
    omitFields(request.params, ['key', '_stripe_version']),
    match.ids,
  )
  const browser = request.caller === 'browser'
  if ('error' in outcome) {
    return errorResponse(outcome.status, browser ? errorForBrowser(outcome.error, fields) : outcome.error)
  }
  const object = presentObject(ctx.store, outcome.object, browser ? [] : expand)
  return { status: 200, body: JSON.stringify(browser ? objectForBrowser(object, fields) : object, null, 2) }
}

type Ran = { response: ApiResponse; hasStarted: boolean }

function runAtomically(ctx: Context, request: ApiRequest): Ran {
  try {
    return { response: savepoint(ctx.store, () => runRequest(ctx, request)), hasStarted: true }
  } catch (error) {
    if (error instanceof ApiError)
      return { response: errorResponse(error.status, error.body), hasStarted: error.hasStarted }
    throw error
  }
}

function runIdempotent(ctx: Context, request: ApiRequest, keyed: KeyedRequest): ApiResponse {
  try {
    assertKeyLength(ctx.request.idempotencyKey ?? '')
    const earlier = findStoredResponse(ctx.store, keyed)
    if (earlier !== null) return earlier
  } catch (error) {
    if (error instanceof ApiError) return errorResponse(error.status, error.body)
    throw error
  }
  const { response, hasStarted } = runAtomically(ctx, request)
  if (hasStarted) storeResponse(ctx, keyed, response)
  return response
}

function keyedRequest(request: ApiRequest, key: string): KeyedRequest {
  return { key: `${request.caller} ${key}`, request: fingerprint(request.method, request.path, request.params) }
}

/** Stores a server error under its key, like any response. `isLate` replaces the response of a request that did run. */
export function storeFailure(ctx: Context, request: ApiRequest, failure: ApiResponse, isLate: boolean): void {
  const key = ctx.request.idempotencyKey
  if (key === null || request.method !== 'POST') return
  const keyed = keyedRequest(request, key)
  transact(ctx.store, () => {
    if (isLate || findStoredResponse(ctx.store, keyed) === null) storeResponse(ctx, keyed, failure)
  })
}

/** Runs a request and stores its response under its key, in one transaction. It awaits nothing, so they run one at a time. */
export function executeRequest(ctx: Context, request: ApiRequest): ApiResponse {
  if (request.method === 'GET') return runAtomically(ctx, request).response
  const key = ctx.request.idempotencyKey
  return transact(ctx.store, () => {
    if (key === null || request.method !== 'POST') return runAtomically(ctx, request).response
    return runIdempotent(ctx, request, keyedRequest(request, key))
  })
}
