import type { Platform } from '#pwa/sync/platform.ts'
import { retryAfterMs } from '#pwa/sync/transport.ts'
import { contentRange } from '#shared/rules/byte-range.ts'
import { pieceRange, type Step } from '#shared/rules/shelf.ts'
import type { ShelfDevice } from './device.ts'

/** A request is over when nothing has come for this long. A slow line may take minutes for a piece. */
const silenceMs = 30_000

export type Requester = { platform: Platform; device: ShelfDevice; signal: AbortSignal }

/** `changed`: the file isn't what it was, or isn't open to the member any more. `later`: no signal, or the server is busy. */
export type Failure = { kind: 'changed' | 'refused' } | { kind: 'later'; askedWaitMs: number | null }

export type Answer = { kind: 'answer'; status: number; headers: Headers; body: Uint8Array<ArrayBuffer> }

const noAnswer: Failure = { kind: 'later', askedWaitMs: null }

/** Reads a response as long as bytes keep coming. Null if it's cut off. */
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
    const body = await readBody(response, heard)
    return { kind: 'answer', status: response.status, headers: response.headers, body }
  } catch {
    return null
  } finally {
    cancel()
    signal.removeEventListener('abort', abort)
  }
}

async function readBody(response: Response, heard: () => void): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  const reader = response.body?.getReader()
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    heard()
    parts.push(next.value)
  }
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

/** One piece, checked against the server's hash. Refuses a server or a proxy that answers a Range with something else. */
export async function fetchPiece(
  requester: Requester,
  { address, index, bytes, hash }: Extract<Step, { kind: 'piece' }>,
): Promise<ArrayBuffer | Failure> {
  const range = pieceRange(index, bytes)
  const answer = await ask(requester, address, { range: `bytes=${range.first}-${range.last}` })
  if (answer === null || answer.status !== 206) return failureOf(answer, requester.platform.wall())
  if (answer.headers.get('content-range') !== contentRange(range, bytes)) return { kind: 'changed' }
  if (answer.body.length !== range.last - range.first + 1) return noAnswer
  return (await sha256Of(requester.platform, answer.body)) === hash ? answer.body.buffer : { kind: 'changed' }
}

export async function sha256Of({ subtle }: Platform, bytes: BufferSource): Promise<string | null> {
  if (subtle === null) return null
  const digest = new Uint8Array(await subtle.digest('SHA-256', bytes))
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function readJson({ body }: Answer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}
