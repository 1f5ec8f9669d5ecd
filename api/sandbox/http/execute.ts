import { ApiError, type ErrorBody, errorText, missing, unstarted } from '#api/sandbox/errors.ts'
import { type FormValue, textField } from '#api/sandbox/resources/form.ts'
import { without } from '#api/sandbox/resources/route.ts'
import { findRoute, type Match } from '#api/sandbox/resources/routes.ts'
import { atTheirTime, type Work } from '#api/sandbox/store/context.ts'
import { present } from '#api/sandbox/store/present.ts'
import { attempt, findPublic, transact } from '#api/sandbox/store/store.ts'
import { type Answer, checkKey, earlierAnswer, fingerprint, type KeyedRequest, keepAnswer } from './idempotency.ts'
import { type Caller, errorForBrowser, objectForBrowser } from './keys.ts'

export type ApiRequest = {
  method: string
  path: string
  caller: Caller
  params: FormValue
}

function errorResponse(status: number, error: ErrorBody): Answer {
  return { status, body: errorText(error) }
}

export function unknownPath(method: string, path: string): ApiError {
  return new ApiError(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${method}: ${path}). The sandbox answers a part of Stripe's API only.`,
  })
}

/** A browser may only reach what its client secret opens. */
function checkBrowser(work: Work, request: ApiRequest, { route, ids }: Match): void {
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
  const object = findPublic(work.store, id)
  if (object === null || object.client_secret !== textField(request.params, 'client_secret')) {
    throw missing(id.startsWith('seti_') ? 'setup_intent' : 'payment_intent', id)
  }
}

/** Whatever the request names may be an object that lives by a test clock. */
function namedIds(params: FormValue): string[] {
  if (typeof params === 'string' || Array.isArray(params)) return []
  return Object.values(params).filter((value) => typeof value === 'string')
}

function run(work: Work, request: ApiRequest): Answer {
  const match = findRoute(request.method, request.path)
  if (match === null) throw unstarted(unknownPath(request.method, request.path))
  checkBrowser(work, request, match)
  const fields = match.route.browserFields ?? []
  const there = atTheirTime(work, [...match.ids, ...namedIds(request.params)])
  const { outcome, expand } = match.route.run(there, without(request.params, ['key', '_stripe_version']), match.ids)
  const browser = request.caller === 'browser'
  if ('error' in outcome) {
    return errorResponse(outcome.status, browser ? errorForBrowser(outcome.error, fields) : outcome.error)
  }
  const object = present(work.store, outcome.object, browser ? [] : expand)
  return { status: 200, body: JSON.stringify(browser ? objectForBrowser(object, fields) : object, null, 2) }
}

type Ran = { answer: Answer; started: boolean }

/** Runs the request; an error takes back what it wrote and becomes the answer. */
function runSafely(work: Work, request: ApiRequest): Ran {
  try {
    return { answer: attempt(work.store, () => run(work, request)), started: true }
  } catch (error) {
    if (error instanceof ApiError) return { answer: errorResponse(error.status, error.body), started: error.started }
    throw error
  }
}

function runKeyed(work: Work, request: ApiRequest, keyed: KeyedRequest): Answer {
  try {
    checkKey(work.request.idempotencyKey ?? '')
    const earlier = earlierAnswer(work.store, keyed)
    if (earlier !== null) return earlier
  } catch (error) {
    if (error instanceof ApiError) return errorResponse(error.status, error.body)
    throw error
  }
  const { answer, started } = runSafely(work, request)
  if (started) keepAnswer(work, keyed, answer)
  return answer
}

function keyedRequest(request: ApiRequest, key: string): KeyedRequest {
  return { key: `${request.caller} ${key}`, request: fingerprint(request.method, request.path, request.params) }
}

/** A failure on our side is kept under its key as any other answer. `isLate`: it comes after the work, in place of its answer. */
export function keepFailure(work: Work, request: ApiRequest, failure: Answer, isLate: boolean): void {
  const key = work.request.idempotencyKey
  if (key === null || request.method !== 'POST') return
  const keyed = keyedRequest(request, key)
  transact(work.store, () => {
    if (isLate || earlierAnswer(work.store, keyed) === null) keepAnswer(work, keyed, failure)
  })
}

/**
 * One API request from start to end in one transaction, together with the answer kept under its idempotency key.
 * Nothing is awaited, so requests follow one another.
 */
export function answerRequest(work: Work, request: ApiRequest): Answer {
  if (request.method === 'GET') return runSafely(work, request).answer
  const key = work.request.idempotencyKey
  return transact(work.store, () => {
    if (key === null || request.method !== 'POST') return runSafely(work, request).answer
    return runKeyed(work, request, keyedRequest(request, key))
  })
}
