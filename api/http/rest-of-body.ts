import type { Respond } from './request-turns.ts'

/** As much as our proxies let through. */
const mostBytes = 21 * 1024 ** 2
const patienceMs = 10_000

/**
 * Answers once a body nobody read is here, and drops it. A proxy that's still sending takes a connection that closes for a fault of
 * ours and shows that, instead of an answer such as too large or logged out.
 */
export const afterBody =
  (respond: Respond): Respond =>
  (request) => {
    const bytes = Number(request.headers.get('content-length') ?? 0)
    return bytes > 0 && bytes <= mostBytes ? respondAfterBody(request, respond) : respond(request)
  }

async function respondAfterBody(request: Request, respond: Respond): Promise<Response> {
  const response = await respond(request)
  if (!request.bodyUsed && request.body !== null) await dropAll(request.body)
  return response
}

/** The sender may be slow, or gone. */
const dropAll = (body: ReadableStream<Uint8Array>): Promise<void> =>
  body.pipeTo(new WritableStream(), { signal: AbortSignal.timeout(patienceMs) }).catch(() => {})
