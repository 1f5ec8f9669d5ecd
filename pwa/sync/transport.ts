import * as v from 'valibot'
import { ErrorBody } from '#shared/contract/error.ts'
import type { Platform } from './platform.ts'

export const requestTimeoutMs = 30_000

export type JsonPost = {
  path: string
  body: string
  credentials: RequestCredentials
  headers?: Record<string, string>
}

export type JsonResponse = { status: number; headers: Headers; json: unknown }

type Sender = { platform: Platform; signal: AbortSignal }

export async function postJson({ platform, signal }: Sender, post: JsonPost): Promise<JsonResponse | null> {
  const { path, body, credentials, headers } = post
  const request = new AbortController()
  const abort = () => request.abort()
  const cancel = platform.after(requestTimeoutMs, abort)
  signal.addEventListener('abort', abort)
  try {
    const response = await platform.fetch(path, {
      method: 'POST',
      credentials,
      headers: { 'Content-Type': 'application/json', ...headers },
      redirect: 'error',
      cache: 'no-store',
      signal: request.signal,
      body,
    })
    return { status: response.status, headers: response.headers, json: parseJson(await response.text()) }
  } catch {
    // No signal, a timeout, a broken connection: all of them mean "later".
    return null
  } finally {
    cancel()
    signal.removeEventListener('abort', abort)
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The error in our own server's format; null if something else wrote the response. */
export function readError(json: unknown): ErrorBody['error'] | null {
  const { success, output } = v.safeParse(ErrorBody, json)
  return success ? output.error : null
}

/** The longest wait, even if a server asks for a longer one. */
export const longestWaitMs = 60 * 60_000

/** The wait in a `Retry-After` (seconds or a date, RFC 9110 §10.2.3), in ms; null without a valid one. */
export function retryAfterMs(header: string | null, wall: number): number | null {
  if (header === null || header.trim() === '') return null
  const seconds = Number(header)
  const ms = Number.isNaN(seconds) ? Date.parse(header) - wall : seconds * 1000
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), longestWaitMs)
}

const firstBackOffMs = 2_000
const longestBackOffMs = 5 * 60_000

/**
 * How long to wait after `failures` in a row: doubles from 2 seconds up to 5 minutes, of which jitter takes up to half. `random` is
 * from 0 up to 1. Without it, many phones that lost the same server would return at the same moment.
 */
export function backOffMs(failures: number, random: number): number {
  const most = Math.min(longestBackOffMs, firstBackOffMs * 2 ** Math.min(failures - 1, 30))
  return Math.round((most / 2) * (1 + random))
}
