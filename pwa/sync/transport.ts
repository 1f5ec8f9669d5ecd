import * as v from 'valibot'
import { pageLeft } from '#pwa/lib/page-life.ts'
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

/** What's sent has an id, so that it can be sent again if the page was left meanwhile. */
export const postJson = (
  sender: Sender,
  { path, body, credentials, headers }: JsonPost,
): Promise<JsonResponse | null> =>
  requestJson(sender, {
    path,
    init: { method: 'POST', credentials, body, headers: { 'Content-Type': 'application/json', ...headers } },
  })

/** `timeoutMs`: for what may take longer than usual on a slow line. */
export type JsonRequest = { path: string; init: RequestInit; timeoutMs?: number }

/** For a request that may be sent again if the page was left meanwhile. Null without an answer. */
export async function requestJson(sender: Sender, request: JsonRequest): Promise<JsonResponse | null> {
  const left = pageLeft()
  const response = await requestOnce(sender, request)
  return response === null && left.aborted && !sender.signal.aborted ? requestJson(sender, request) : response
}

async function requestOnce(
  { platform, signal }: Sender,
  { path, init, timeoutMs = requestTimeoutMs }: JsonRequest,
): Promise<JsonResponse | null> {
  const request = new AbortController()
  const abort = () => request.abort()
  const cancel = platform.after(timeoutMs, abort)
  signal.addEventListener('abort', abort)
  try {
    const response = await platform.fetch(path, {
      ...init,
      redirect: 'error',
      cache: 'no-store',
      signal: request.signal,
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
