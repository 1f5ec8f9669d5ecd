import { retryAfterMs } from '#pwa/sync/back-off.ts'
import type { Platform } from '#pwa/sync/platform.ts'
import { contentRange } from '#shared/rules/byte-range.ts'
import { pieceRange, type Step } from '#shared/rules/shelf.ts'
import type { ShelfDevice } from './device.ts'

/** A request is over when nothing has come for this long. A slow line may take minutes for a piece. */
const silenceMs = 30_000

/** How often, and after how long at first, the rest of a piece is asked for while nothing comes. */
const patientMisses = 5
const firstWaitMs = 1_000

export type Requester = { platform: Platform; device: ShelfDevice; signal: AbortSignal }

/**
 * `changed`: the file isn't what it was, or isn't open to the member any more. `later`: no signal, or the server is busy. `hasBytes`:
 * something of the piece had come.
 */
export type Failure =
  | { kind: 'changed' | 'refused' }
  | { kind: 'later'; askedWaitMs: number | null; hasBytes?: boolean }

/** `isWhole`: false if the line was cut before the end; `body` is what came until then. */
export type Answer = { status: number; headers: Headers; body: Uint8Array<ArrayBuffer>; isWhole: boolean }

const noAnswer: Failure = { kind: 'later', askedWaitMs: null }

/** Reads a response as long as bytes keep coming. Null if none came. */
export async function ask(
  { platform, device, signal }: Requester,
  path: string,
  headers: Record<string, string> = {},
): Promise<Answer | null> {
  const request = new AbortController()
  const abort = () => request.abort()
  let cancel = platform.after(silenceMs, abort)
  const heard = () => {
    cancel()
    cancel = platform.after(silenceMs, abort)
  }
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  try {
    const init = {
      credentials: 'include',
      cache: 'no-store',
      redirect: 'error',
      headers,
      signal: request.signal,
    } as const
    const response = await device.fetch(path, init)
    heard()
    return { status: response.status, headers: response.headers, ...(await readBody(response, heard)) }
  } catch {
    return null
  } finally {
    cancel()
    signal.removeEventListener('abort', abort)
  }
}

async function readBody(response: Response, heard: () => void): Promise<Pick<Answer, 'body' | 'isWhole'>> {
  const parts: Uint8Array[] = []
  const reader = response.body?.getReader()
  let isWhole = true
  try {
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
      heard()
      parts.push(next.value)
    }
  } catch {
    isWhole = false
  }
  return { body: joined(parts), isWhole }
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const body = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    body.set(part, at)
    at += part.length
  }
  return body
}

/** What every answer but the hoped-for one means. */
export function failureOf(answer: Answer | null, wall: number): Failure {
  if (answer === null) return noAnswer
  const { status, headers } = answer
  if (status === 401 || status === 403) return { kind: 'refused' }
  if (status === 404 || status === 416) return { kind: 'changed' }
  return { kind: 'later', askedWaitMs: retryAfterMs(headers.get('retry-after'), wall) }
}

/**
 * One piece, checked against the server's hash. On a line that breaks again and again, each attempt goes on where the last one was
 * cut. What has come is only given up once the line brings nothing for half a minute. Refuses a server or a proxy that answers a Range with something else.
 */
export async function fetchPiece(
  requester: Requester,
  { address, index, bytes, hash }: Extract<Step, { kind: 'piece' }>,
): Promise<ArrayBuffer | Failure> {
  const { first, last } = pieceRange(index, bytes)
  const piece = new Uint8Array(last - first + 1)
  let misses = 0
  for (let here = 0; here < piece.length; ) {
    const rest = { first: first + here, last }
    const answer = await ask(requester, address, { range: `bytes=${rest.first}-${rest.last}` })
    if (answer && answer.status !== 206) return failureOf(answer, requester.platform.wall())
    if (answer && answer.headers.get('content-range') !== contentRange(rest, bytes)) return { kind: 'changed' }
    const length = answer?.body.length ?? 0
    if (here + length > piece.length || requester.signal.aborted) return noAnswer
    if (answer) piece.set(answer.body, here)
    here += length
    misses = length > 0 ? 0 : misses + 1
    if (misses > 0 && (here === 0 || misses > patientMisses))
      return { kind: 'later', askedWaitMs: null, hasBytes: here > 0 }
    if (misses > 0) await wait(requester, firstWaitMs * 2 ** (misses - 1))
  }
  return (await sha256Of(requester.platform, piece)) === hash ? piece.buffer : { kind: 'changed' }
}

function wait({ platform, signal }: Requester, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const cancel = platform.after(ms, resolve)
  signal.addEventListener('abort', () => {
    cancel()
    resolve()
  })
  return promise
}

export async function sha256Of({ subtle }: Platform, bytes: BufferSource): Promise<string | null> {
  if (subtle === null) return null
  const digest = new Uint8Array(await subtle.digest('SHA-256', bytes))
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function readJson({ body, isWhole }: Answer): unknown {
  try {
    if (!isWhole) return undefined

    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}
