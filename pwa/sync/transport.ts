import * as v from 'valibot'
import { ErrorBody } from '#shared/contract/error.ts'
import type { Platform } from './platform.ts'

export const requestTimeoutMs = 30_000

export type Posted = {
  path: string
  /** JSON, sent as it is. */
  body: string
  credentials: RequestCredentials
  headers?: Record<string, string>
}

export type Reply = { status: number; headers: Headers; json: unknown }

type Poster = { platform: Platform; signal: AbortSignal }

/** Null where nothing came back in time. A redirect is never ours: some Wi-Fi wants a login first. */
export async function postJson({ platform, signal }: Poster, posted: Posted): Promise<Reply | null> {
  const { path, body, credentials, headers } = posted
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
    return { status: response.status, headers: response.headers, json: parse(await response.text()) }
  } catch {
    // No signal, a time-out, a connection that broke half way: all of them mean "later".
    return null
  } finally {
    cancel()
    signal.removeEventListener('abort', abort)
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What our server says is wrong; null where the answer is somebody else's. */
export function readError(json: unknown): ErrorBody['error'] | null {
  const { success, output } = v.safeParse(ErrorBody, json)
  return success ? output.error : null
}
