import { errorMessage } from '#api/log.ts'
import type { PushRequest } from './request.ts'

/** `says`: the beginning of what the push service wrote. `retryAfterMs`: null if it didn't name a time. */
export type PushAnswer = { status: number; retryAfterMs: number | null; says: string }

/** Why no answer came. */
export type NoPushAnswer = { status: null; says: string }

const patienceMs = 10_000
/** Enough for a reason. */
const mostBytes = 512

/** Hands a message to its push service. It follows no redirect, and reads no more of the answer than a reason needs. */
export async function postPush({ endpoint, headers, body }: PushRequest): Promise<PushAnswer | NoPushAnswer> {
  try {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      credentials: 'omit',
      signal: AbortSignal.timeout(patienceMs),
    })
    const says = await readBeginning(response)
    return { status: response.status, retryAfterMs: retryAfterOf(response), says }
  } catch (error) {
    return { status: null, says: errorMessage(error) }
  }
}

async function readBeginning({ body }: Response): Promise<string> {
  if (body === null) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.byteLength
    if (size >= mostBytes) break
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, mostBytes))
  return text.replace(/[\p{Cc}\s]+/gu, ' ').trim()
}

function retryAfterOf({ headers }: Response): number | null {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null
}
