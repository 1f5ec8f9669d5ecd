import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** A body in every encoding that a browser may ask for, under one ETag. */
export type ReadyBytes = { etag: string; identity: Bytes; gzip: Bytes; brotli: Bytes }

type Bytes = Uint8Array<ArrayBuffer>

/** Compresses once what is sent many times. */
export function makeReady(text: string): ReadyBytes {
  const identity = new TextEncoder().encode(text)
  return {
    etag: `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`,
    identity,
    gzip: new Uint8Array(gzipSync(identity)),
    brotli: new Uint8Array(brotliCompressSync(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })),
  }
}

type Encoding = 'brotli' | 'gzip' | 'identity'

const names: Record<Encoding, string | undefined> = { brotli: 'br', gzip: 'gzip', identity: undefined }

const naming = (name: string) => new RegExp(`(^|[,\\s])${name}\\s*(;\\s*q=(?!0(\\.0*)?\\s*(,|$))|,|$)`)
const wanted = { brotli: naming('br'), gzip: naming('gzip') }

type Chosen = { encoding: Encoding; name: string | undefined }

/** Browsers send one of a few lists; whoever makes up his own must not fill the memory. */
const chosenBefore = new Map<string, Chosen>()
const mostChosen = 100

/** The best encoding that the request accepts. */
export function encodingFor(request: Request): Chosen {
  const accepted = request.headers.get('accept-encoding') ?? ''
  const known = chosenBefore.get(accepted)
  if (known) return known
  const encoding: Encoding = wanted.brotli.test(accepted) ? 'brotli' : wanted.gzip.test(accepted) ? 'gzip' : 'identity'
  const chosen = { encoding, name: names[encoding] }
  if (chosenBefore.size < mostChosen) chosenBefore.set(accepted, chosen)
  return chosen
}

/** Whether the browser already has this version. */
export function isKnown(request: Request, etag: string): boolean {
  const known = request.headers.get('if-none-match')
  if (known === null) return false
  return known.split(',').some((one) => one.trim() === etag || one.trim() === '*')
}

/** A request, and the headers that its answer is to carry in any case. */
export type Asked = { request: Request; set: { headers: object } }

type Extra = { status?: number; headers: Record<string, string> }

/**
 * Answers GET from ready bytes, with 304 where nothing has changed; for HEAD the server drops the body and keeps its
 * length. Takes the headers set so far along, as `keptAnswer` does.
 */
export function answerReady({ request, set }: Asked, ready: ReadyBytes, { status = 200, headers }: Extra): Response {
  const chosen = encodingFor(request)
  const isUnchanged = status === 200 && isKnown(request, ready.etag)
  const make = () => ({
    ...{ ...set.headers, ...headers, etag: ready.etag, vary: 'accept-encoding' },
    ...(isUnchanged ? {} : bodyHeaders(ready, chosen)),
  })
  // An answer with a cookie is one person's.
  const all = 'set-cookie' in set.headers ? make() : prepare(ready, isUnchanged ? 'none' : chosen.encoding, make)
  const response = isUnchanged
    ? new Response(null, { status: 304, headers: all })
    : new Response(ready[chosen.encoding], { status, headers: all })
  if ('x-request-id' in set.headers) response.headers.set('x-request-id', String(set.headers['x-request-id']))
  set.headers = {}
  return response
}

const bodyHeaders = (ready: ReadyBytes, { encoding, name }: Chosen): Record<string, string> => ({
  ...(name ? { 'content-encoding': name } : {}),
  'content-length': String(ready[encoding].byteLength),
})

const prepared = new WeakMap<ReadyBytes, Partial<Record<Encoding | 'none', Headers>>>()

/**
 * Puts headers together once for all answers with that body, since it takes longer than all the rest: they are the same but
 * for the request's id.
 */
function prepare(ready: ReadyBytes, body: Encoding | 'none', make: () => Record<string, string>): Headers {
  const ofAll = prepared.get(ready) ?? {}
  const headers = ofAll[body] ?? new Headers(make())
  ofAll[body] = headers
  prepared.set(ready, ofAll)
  return headers
}
