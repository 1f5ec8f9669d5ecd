import type { Context } from '#api/context.ts'
import { AppError } from '#api/errors.ts'
import { assertBodyLength, isChunk, isChunkAddress, isPhoto, webhookPath, wrongPieceType } from './request-body.ts'

const mutating = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** Mail programs send it, form-encoded (RFC 8058): its token says it all, and no cookie is looked at. */
export const unsubscribePath = '/api/mail/unsubscribe'

/**
 * The path of a request, which is also what the framework finds its route by. Without a Host, or with one that is none, the server
 * cannot make an address of it. What comes after a #, which no browser sends, the framework would take for a part of the path; and
 * a query of thousands of parameters is nobody's.
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

/** No route has more than ten of its own; the rest is for what campaigns and mail programs add to a link. */
const maxParameters = 50

/** Counted no further than that, before anybody makes them out. */
function hasMoreParameters(url: string, most: number): boolean {
  let count = 0
  for (let at = url.indexOf('?'); at >= 0 && count <= most; at = url.indexOf('&', at + 1)) count += 1
  return count > most
}

/** What every request passes before a route sees it: a canonical path and, where it changes something, our own origin and JSON. */
export function assertRequestAllowed(ctx: Context, request: Request, path: string): void {
  const isCanonical = !path.includes('//') && !(path.startsWith('/api/') && path.endsWith('/'))
  if (!isCanonical) throw new AppError('not_found', 'There’s nothing at this address.')
  if (!mutating.has(request.method) || path === webhookPath) return
  const isForm = path === unsubscribePath
  if (!isForm && !isFromOwnSite(ctx, request))
    throw new AppError('wrong_origin', 'This request came from another site.')
  // The sandbox's own pages and calls are form-encoded, as the provider's are.
  if (path.startsWith('/sandbox/')) return
  const isJson = request.headers.get('content-type') === 'application/json'
  if (!isForm && request.body !== null && !isJson && !isChunk(request) && !isPhoto(request)) {
    if (isChunkAddress(request)) throw wrongPieceType()
    throw new AppError('unsupported_media_type', 'Send JSON (Content-Type: application/json).')
  }
  assertBodyLength(request, Number(request.headers.get('content-length') ?? 0))
}

/** Origins that are ours: the public one and, outside production, this machine's own names. */
export function ownOrigins({ settings }: Context): string[] {
  const own = [new URL(settings.publicUrl).origin]
  if (!settings.isProduction) own.push(`http://localhost:${settings.port}`, `http://127.0.0.1:${settings.port}`)
  return own
}

/**
 * Whether a browser on one of our own pages sent this, or no browser at all. Links that only end a session may also come
 * from the `same-site`: the return from a payment page does.
 */
export function isFromOwnSite(
  ctx: Context,
  request: Request,
  reach: 'same-origin' | 'same-site' = 'same-origin',
): boolean {
  const site = request.headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin' && site !== 'none' && site !== reach) return false
  const origin = request.headers.get('origin')
  return origin === null || ownOrigins(ctx).includes(origin)
}

/** Whether a browser opens this address as a page of its own; a picture, a frame or a script that names it does not. */
export function isNavigation(request: Request): boolean {
  if (isPrefetch(request)) return false
  const destination = request.headers.get('sec-fetch-dest')
  return destination === null || destination === 'document'
}

/** A browser that loads ahead what somebody may open: nobody has opened it yet. */
const isPrefetch = ({ headers }: Request): boolean =>
  ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) =>
    /prefetch|preview|prerender/i.test(headers.get(name) ?? ''),
  )

const proofMinutes = 10
const ownProofMinutes = 2

/**
 * Refuses a login that has not given its password within the last minutes: what gives money away, removes for ever or opens the
 * whole business is not for a passer-by who finds a browser open. A time in the future is from before the clock was set back.
 */
export function assertProven(ctx: Context, { provenAt }: { provenAt: string | null }): void {
  assertProofWithin(ctx, provenAt, proofMinutes)
}

/** Refuses all but a proof given just now and for this: a login is none. */
export function assertProvenAgain(ctx: Context, { provenAgainAt }: { provenAgainAt: string | null }): void {
  assertProofWithin(ctx, provenAgainAt, ownProofMinutes)
}

function assertProofWithin(ctx: Context, at: string | null, minutes: number): void {
  const age = at === null ? Number.NaN : ctx.now().getTime() - Date.parse(at)
  if (age >= 0 && age <= minutes * 60_000) return
  throw new AppError('password_needed', 'Enter your password again to do this.')
}

/** The same of an owner, for a route that asks for part of what it does. At the machine's own terminal nothing is asked. */
export function assertOwnerProven(ctx: Context, owner: { userId: string | null; provenAt?: string | null }): void {
  if (owner.userId !== null) assertProven(ctx, { provenAt: owner.provenAt ?? null })
}

/**
 * Makes every parameter of an address the text that was typed: Elysia takes `a,b` for a list, and what is in brackets for
 * JSON. One that is there twice stays a list, which no route takes.
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
