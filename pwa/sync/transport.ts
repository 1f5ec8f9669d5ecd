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
export async function postJson(sender: Sender, post: JsonPost): Promise<JsonResponse | null> {
  const left = pageLeft()
  const response = await postOnce(sender, post)
  return response === null && left.aborted && !sender.signal.aborted ? postJson(sender, post) : response
}

async function postOnce({ platform, signal }: Sender, post: JsonPost): Promise<JsonResponse | null> {
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
