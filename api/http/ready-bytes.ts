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

/** The best encoding that the request accepts. */
export function encodingFor(request: Request): { encoding: Encoding; name: string | undefined } {
  const accepted = request.headers.get('accept-encoding') ?? ''
  const encoding: Encoding = wanted.brotli.test(accepted) ? 'brotli' : wanted.gzip.test(accepted) ? 'gzip' : 'identity'
  return { encoding, name: names[encoding] }
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
  const { encoding, name } = encodingFor(request)
  const all: Record<string, string> = { ...set.headers, ...headers, etag: ready.etag, vary: 'accept-encoding' }
  set.headers = {}
  if (status === 200 && isKnown(request, ready.etag)) return new Response(null, { status: 304, headers: all })
  if (name) all['content-encoding'] = name
  const body = ready[encoding]
  all['content-length'] = String(body.byteLength)
  return new Response(body, { status, headers: all })
}
