/** A body in every encoding that a browser may ask for, under one ETag. */
export type CompressedBody = { etag: string; identity: Bytes; gzip: Bytes; brotli: Bytes }

type Bytes = Uint8Array<ArrayBuffer>

/** Compresses once what is sent many times. */
export function compressBody(text: string): CompressedBody {
  // Loaded with the first page: a start that has none to send yet need not wait for it.
  const { brotliCompressSync, constants, gzipSync } = process.getBuiltinModule('node:zlib')
  const identity = new TextEncoder().encode(text)
  return {
    etag: `W/"${new Bun.CryptoHasher('sha256').update(identity).digest('base64url').slice(0, 22)}"`,
    identity,
    gzip: new Uint8Array(gzipSync(identity)),
    brotli: new Uint8Array(brotliCompressSync(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })),
  }
}

/** A body that is compressed with the first request for it, since most of those that are made anew are asked for by few. */
export type LazyBody = { identity: Bytes; made: Partial<Record<Encoding, Bytes>> }

/** Less is not worth it: the headers alone are as long. */
const minCompressedBytes = 1_000

/** The body in the encoding that the client takes; `contentEncoding` is undefined where it is as it was written. */
export function encodeFor(request: Request, body: LazyBody): { bytes: Bytes; contentEncoding: string | undefined } {
  const negotiated = negotiateEncoding(request)
  const isWorthIt = body.identity.byteLength >= minCompressedBytes
  const { encoding, contentEncoding } = isWorthIt ? negotiated : asItIs
  const bytes = body.made[encoding] ?? compressQuickly(body.identity, encoding)
  body.made[encoding] = bytes
  return { bytes, contentEncoding }
}

const asItIs: Negotiated = { encoding: 'identity', contentEncoding: undefined }

/** A list of some hundred lessons takes a millisecond or two: the server does nothing else meanwhile. */
function compressQuickly(identity: Bytes, encoding: Encoding): Bytes {
  if (encoding === 'identity') return identity
  const { brotliCompressSync, constants, gzipSync } = process.getBuiltinModule('node:zlib')
  if (encoding === 'gzip') return new Uint8Array(gzipSync(identity))
  return new Uint8Array(brotliCompressSync(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }))
}

const strong = (etag: string) => etag.replace(/^W\//, '')

type Encoding = 'brotli' | 'gzip' | 'identity'
type Negotiated = { encoding: Encoding; contentEncoding: string | undefined }

const contentEncodings: Record<Encoding, string | undefined> = { brotli: 'br', gzip: 'gzip', identity: undefined }

/** Browsers send one of a few lists; a client that invents its own must not fill the memory. */
const negotiatedBefore = new Map<string, Negotiated>()
const maxNegotiated = 100

/**
 * The encoding to respond with: brotli before gzip, whatever order the client prefers, since both are compressed already.
 * The package `negotiator` would follow the client's order, and takes two dependencies (with its types) for this one line.
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

/** Whether a list such as `gzip, br;q=0.5` holds the coding; with `q=0` it refuses it. */
const isCodingAccepted = (list: string, coding: string): boolean =>
  list.split(',').some((item) => {
    const [name = '', quality = '1'] = item.split(/;\s*q=/)
    return name.trim() === coding && Number(quality) !== 0
  })

/** Whether the browser has this version already. The comparison is the weak one, as RFC 9110 asks for. */
export function hasMatchingEtag(request: Request, etag: string): boolean {
  const known = request.headers.get('if-none-match')
  if (known === null) return false
  return known === '*' || known.split(',').some((one) => strong(one.trim()) === strong(etag))
}

/** Of what Elysia gives a handler: the request, and the headers that its response is to carry in any case. */
export type HandlerInput = { request: Request; set: { headers: object } }

/**
 * A response without a body. It names what is left for it to say, and repeats none of the headers of every response: a browser
 * keeps those of the body that it has, and a phone with one bar of signal pays for each.
 */
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

/** Of the body and of the policy that came with it, since a 304 leaves both as they are. */
function tagOf({ etag }: CompressedBody, headers: object): string {
  if (!('content-security-policy' in headers)) return etag
  return etag.replace(/"$/, `.${Bun.hash(String(headers['content-security-policy'])).toString(36).slice(0, 6)}"`)
}

type Extra = { status?: number; headers: Record<string, string> }

/**
 * Responds to a GET from compressed bytes, with 304 where the browser has them; for HEAD the server drops the body and keeps
 * its length. Takes the headers set so far along, as `cachedResponse` does.
 */
export function compressedResponse(
  { request, set }: HandlerInput,
  body: CompressedBody,
  { status = 200, headers }: Extra,
): Response {
  const etag = tagOf(body, 'content-security-policy' in headers ? headers : set.headers)
  if (status === 200 && hasMatchingEtag(request, etag)) {
    const { 'cache-control': cacheControl = 'no-cache' } = headers
    return bareResponse(set, 304, { etag, 'cache-control': cacheControl, vary: 'accept-encoding' })
  }
  const negotiated = negotiateEncoding(request)
  const make = () => ({
    ...{ ...set.headers, ...headers, etag, vary: 'accept-encoding' },
    ...bodyHeaders(body, negotiated),
  })
  // A response with a cookie is one person's.
  const isPersonal = 'set-cookie' in set.headers
  const all = isPersonal ? make() : sharedHeaders(body, negotiated.encoding, make)
  const response = new Response(body[negotiated.encoding], { status, headers: all })
  if ('x-request-id' in set.headers) response.headers.set('x-request-id', String(set.headers['x-request-id']))
  set.headers = {}
  return response
}

const bodyHeaders = (body: CompressedBody, { encoding, contentEncoding }: Negotiated): Record<string, string> => ({
  ...(contentEncoding === undefined ? {} : { 'content-encoding': contentEncoding }),
  'content-length': String(body[encoding].byteLength),
})

const headersByBody = new WeakMap<CompressedBody, Partial<Record<Encoding, Headers>>>()

/**
 * The headers of all responses with that body, made once, since making them takes longer than all the rest: they are the same
 * but for the request's id.
 */
function sharedHeaders(body: CompressedBody, sent: Encoding, make: () => Record<string, string>): Headers {
  const ofBody = headersByBody.get(body) ?? {}
  const headers = ofBody[sent] ?? new Headers(make())
  ofBody[sent] = headers
  headersByBody.set(body, ofBody)
  return headers
}
