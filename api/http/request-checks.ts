import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import { isPostedForm, sharePath, unsubscribePath, webhookPath } from '#api/serving/paths.ts'
import { ownOrigins } from '#api/settings.ts'
import {
  assertBodyLength,
  isChunk,
  isChunkAddress,
  isPhoto,
  isQuestionPiece,
  isQuestionPieceAddress,
  wrongPieceType,
  wrongQuestionPieceType,
} from './request-body.ts'

const mutating = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/**
 * The path Elysia will route by. A request without a valid Host has no valid URL. Elysia would treat a fragment, which browsers
 * never send, as part of the path. Legitimate queries don't have thousands of parameters.
 */
export function pathOf(request: Request): string {
  const url = URL.parse(request.url)
  if (url === null || request.headers.get('host')?.includes(',')) {
    throw new AppError('malformed', 'The request doesn’t name its host.')
  }
  if (request.url.includes('#')) throw new AppError('malformed', 'Leave out the # of the address.')
  if (hasMoreParameters(request.url, maxParameters))
    throw new AppError('malformed', 'This address has too many parameters.')
  return url.pathname
}

/** No route has more than ten of its own. The rest leaves room for campaign and mail program tags. */
const maxParameters = 50

function hasMoreParameters(url: string, most: number): boolean {
  let count = 0
  for (let at = url.indexOf('?'); at >= 0 && count <= most; at = url.indexOf('&', at + 1)) count += 1
  return count > most
}

/** Checks every request before its route: a canonical path and, for mutations, our own origin and JSON. */
export function assertRequestAllowed(ctx: Context, request: Request, path: string): void {
  const isCanonical = !path.includes('//') && !(path.startsWith('/api/') && path.endsWith('/'))
  if (!isCanonical) throw new AppError('not_found', 'There’s nothing at this address.')
  if (!mutating.has(request.method) || path === webhookPath || path === sharePath) return
  const isForm = path === unsubscribePath
  if (!isForm && !isFromOwnSite(ctx, request))
    throw new AppError('wrong_origin', 'This request came from another site.')
  // The sandbox's pages and calls are form-encoded, like Stripe's.
  if (path.startsWith('/sandbox/')) return
  const type = isPostedForm(path) ? 'application/x-www-form-urlencoded' : 'application/json'
  const isJson = request.headers.get('content-type') === type
  const isOfBytes = isChunk(request) || isPhoto(request) || isQuestionPiece(request)
  if (!isForm && !isJson && !isOfBytes && request.body !== null) {
    if (isChunkAddress(request)) throw wrongPieceType()
    if (isQuestionPieceAddress(request)) throw wrongQuestionPieceType()
    throw new AppError('unsupported_media_type', 'Send JSON (Content-Type: application/json).')
  }
  assertBodyLength(request, Number(request.headers.get('content-length') ?? 0))
}

/**
 * Whether the request comes from one of our pages, or not from a browser at all. Links that only end a session may also come from
 * the same site, as the return from a payment page does.
 */
export function isFromOwnSite(
  ctx: Context,
  request: Request,
  reach: 'same-origin' | 'same-site' = 'same-origin',
): boolean {
  const site = request.headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin' && site !== 'none' && site !== reach) return false
  const origin = request.headers.get('origin')
  return origin === null || ownOrigins(ctx.settings).includes(origin)
}

/** Whether a browser navigates to this address, as opposed to loading it as a picture, frame or script. */
export function isNavigation(request: Request): boolean {
  if (isPrefetch(request)) return false
  const destination = request.headers.get('sec-fetch-dest')
  return destination === null || destination === 'document'
}

/** The browser is prefetching. No one has opened it yet. */
const isPrefetch = ({ headers }: Request): boolean =>
  ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) =>
    /prefetch|preview|prerender/i.test(headers.get(name) ?? ''),
  )

/**
 * Restores each query parameter to the text that was typed: Elysia parses `a,b` as a list, and brackets as JSON. A repeated
 * parameter stays a list, which every route rejects.
 */
export function keepQueryAsTyped({ query, request }: { query: Record<string, unknown>; request: Request }): void {
  let parameters: URLSearchParams | undefined
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === 'string') continue
    parameters ??= new URL(request.url).searchParams
    const [typed, another] = parameters.getAll(name)
    if (another === undefined) query[name] = typed
  }
}
