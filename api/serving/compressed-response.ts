import { promisify } from 'node:util'
import {
  type BrotliOptions,
  brotliCompress,
  brotliCompressSync,
  constants,
  gzip,
  gzipSync,
  type InputType,
} from 'node:zlib'

/** A body in every encoding browsers accept, under one ETag. */
export type CompressedBody = { etag: string; identity: Bytes; gzip: Bytes; brotli: Bytes }

type Bytes = Uint8Array<ArrayBuffer>

export function compressBody(text: string): CompressedBody {
  const identity = new TextEncoder().encode(text)
  const brotli = new Uint8Array(brotliCompressSync(identity, ofQuality(9)))
  return { ...tagged(identity), gzip: new Uint8Array(gzipSync(identity)), brotli }
}

/** For what every visitor gets: a twentieth smaller, and the event loop goes round meanwhile. */
export async function compressApart(text: string): Promise<CompressedBody> {
  const identity = new TextEncoder().encode(text)
  const [small, smaller] = await Promise.all([gzipApart(identity), brotliApart(identity, ofQuality(10))])
  return { ...tagged(identity), gzip: new Uint8Array(small), brotli: new Uint8Array(smaller) }
}

const [gzipApart, brotliApart] = [
  promisify<InputType, Buffer>(gzip),
  promisify<InputType, BrotliOptions, Buffer>(brotliCompress),
]

const ofQuality = (quality: number): BrotliOptions => ({ params: { [constants.BROTLI_PARAM_QUALITY]: quality } })

const tagged = (identity: Bytes) => ({
  etag: `W/"${new Bun.CryptoHasher('sha256').update(identity).digest('base64url').slice(0, 22)}"`,
  identity,
})

/** A body compressed on first request: most newly built ones have few readers. */
export type LazyBody = { identity: Bytes; made: Partial<Record<Encoding, Bytes>> }

/** Compresses as `encodeFor` would, without keeping the event loop. Call it before for megabytes. */
export async function encodeApart(request: Request, body: LazyBody): Promise<void> {
  const { encoding } = negotiatedFor(request, body)
  if (encoding === 'identity' || body.made[encoding]) return
  const made = encoding === 'gzip' ? gzipApart(body.identity) : brotliApart(body.identity, quickly)
  body.made[encoding] = new Uint8Array(await made)
}

/** Not worth compressing below this: the headers alone are as long. */
const minCompressedBytes = 1_000

/** The body in the client's encoding. `contentEncoding` is undefined if it's uncompressed. */
export function encodeFor(request: Request, body: LazyBody): { bytes: Bytes; contentEncoding: string | undefined } {
  const { encoding, contentEncoding } = negotiatedFor(request, body)
  const bytes = body.made[encoding] ?? compressQuickly(body.identity, encoding)
  body.made[encoding] = bytes
  return { bytes, contentEncoding }
}

const negotiatedFor = (request: Request, { identity }: LazyBody): Negotiated =>
  identity.byteLength >= minCompressedBytes ? negotiateEncoding(request) : asItIs

const asItIs: Negotiated = { encoding: 'identity', contentEncoding: undefined }

/** A list of a hundred videos takes a millisecond or two, which blocks the server. */
function compressQuickly(identity: Bytes, encoding: Encoding): Bytes {
  if (encoding === 'identity') return identity
  if (encoding === 'gzip') return new Uint8Array(gzipSync(identity))
  return new Uint8Array(brotliCompressSync(identity, quickly))
}

const quickly = ofQuality(5)

const strong = (etag: string) => etag.replace(/^W\//, '')

type Encoding = 'brotli' | 'gzip' | 'identity'
type Negotiated = { encoding: Encoding; contentEncoding: string | undefined }

const contentEncodings: Record<Encoding, string | undefined> = { brotli: 'br', gzip: 'gzip', identity: undefined }

/** Browsers send one of a few header values. Clients that make up their own mustn't fill the memory. */
const negotiatedBefore = new Map<string, Negotiated>()
const maxNegotiated = 100

/**
 * The encoding to respond with. Brotli before gzip, whatever the client prefers, as both are compressed already. The package
 * `negotiator` would follow the client's order, and adds two dependencies (with its types) for one line.
 */
export function negotiateEncoding(request: Request): Negotiated {
  const accepted = request.headers.get('accept-encoding') ?? ''
  const known = negotiatedBefore.get(accepted)
  if (known) return known
  const encoding: Encoding = isCodingAccepted(accepted, 'br')
    ? 'brotli'
    : isCodingAccepted(accepted, 'gzip')
      ? 'gzip'
      : 'identity'
  const negotiated = { encoding, contentEncoding: contentEncodings[encoding] }
  if (negotiatedBefore.size < maxNegotiated) negotiatedBefore.set(accepted, negotiated)
  return negotiated
}

/** Whether a list such as `gzip, br;q=0.5` accepts the coding. `q=0` rejects it. */
const isCodingAccepted = (list: string, coding: string): boolean =>
  list.split(',').some((item) => {
    const [name = '', quality = '1'] = item.split(/;\s*q=/)
    return name.trim() === coding && Number(quality) !== 0
  })

/** Whether the browser has this version. RFC 9110 asks for the weak comparison. */
export function hasMatchingEtag(request: Request, etag: string): boolean {
  const known = request.headers.get('if-none-match')
  if (known === null) return false
  return known === '*' || known.split(',').some((one) => strong(one.trim()) === strong(etag))
}

export type HandlerInput = { request: Request; set: { headers: object } }

/** A response without a body, or the headers the browser keeps with it: on one bar of signal every byte counts. */
export function bareResponse(
  set: HandlerInput['set'],
  status: 204 | 304,
  headers: Record<string, string> = {},
): Response {
  const all = new Headers(headers)
  if ('set-cookie' in set.headers) all.set('set-cookie', String(set.headers['set-cookie']))
  set.headers = {}
  return new Response(null, { status, headers: all })
}

/** Covers the body and the CSP sent with it, since a 304 changes neither. */
function tagOf({ etag }: CompressedBody, headers: object): string {
  if (!('content-security-policy' in headers)) return etag
  return etag.replace(/"$/, `.${Bun.hash(String(headers['content-security-policy'])).toString(36).slice(0, 6)}"`)
}

/** `headers`: the same for every response with this body. `own`: what differs between the addresses that have it. */
type Extra = { status?: number; headers: Record<string, string>; own?: Record<string, string> }

/**
 * Answers a GET with compressed bytes, or 304 if the browser has them. For HEAD the server drops the body and keeps its length.
 * Includes headers set so far, like `cachedResponse`.
 */
export function compressedResponse(
  { request, set }: HandlerInput,
  body: CompressedBody,
  { status = 200, headers, own = {} }: Extra,
): Response {
  const etag = tagOf(body, 'content-security-policy' in headers ? headers : set.headers)
  if (status === 200 && hasMatchingEtag(request, etag)) {
    const { 'cache-control': cacheControl = 'no-cache' } = headers
    return bareResponse(set, 304, { etag, 'cache-control': cacheControl, vary: 'accept-encoding' })
  }
  const negotiated = negotiateEncoding(request)
  const make = () => ({
    ...set.headers,
    ...headers,
    etag,
    vary: 'accept-encoding',
    ...bodyHeaders(body, negotiated),
  })
  // A response that sets a cookie is for one person.
  const isPersonal = 'set-cookie' in set.headers
  const all = isPersonal ? make() : sharedHeaders(body, negotiated.encoding, make)
  const response = new Response(body[negotiated.encoding], { status, headers: all })
  for (const [name, value] of Object.entries(own)) response.headers.set(name, value)
  if ('x-request-id' in set.headers) response.headers.set('x-request-id', String(set.headers['x-request-id']))
  set.headers = {}
  return response
}

const bodyHeaders = (body: CompressedBody, { encoding, contentEncoding }: Negotiated): Record<string, string> => ({
  ...(contentEncoding === undefined ? {} : { 'content-encoding': contentEncoding }),
  'content-length': String(body[encoding].byteLength),
})

const headersByBody = new WeakMap<CompressedBody, Partial<Record<Encoding, Headers>>>()

/** The headers for this body, built once: only the request id and its own differ, and building them takes longer than everything else. */
function sharedHeaders(body: CompressedBody, sent: Encoding, make: () => Record<string, string>): Headers {
  const ofBody = headersByBody.get(body) ?? {}
  const headers = ofBody[sent] ?? new Headers(make())
  ofBody[sent] = headers
  headersByBody.set(body, ofBody)
  return headers
}
