import { treaty } from '@elysiajs/eden/treaty2'
import * as v from 'valibot'
import type { App } from '#api/app.ts'
import { ErrorBody } from '#shared/contract/error.ts'
import { whileHere } from './leaving.ts'
import { RequestError } from './request-error.ts'

/** We treat a request without a response for this long as no signal. */
const requestTimeoutMs = 30_000

/** The API, typed by its routes: `api.api['membership-tiers'].get()`. Use it inside `parseResponse`. */
export const api = treaty<App>(globalThis.location?.origin ?? 'http://localhost', {
  parseDate: false,
  fetch: { credentials: 'same-origin' },
  // Read when it's called: tests replace the browser's.
  fetcher: Object.assign((...request: Parameters<typeof fetch>) => whileHere(() => fetch(...request)), fetch),
  onRequest: (_path, { signal }) => ({ signal: signal ?? AbortSignal.timeout(requestTimeoutMs) }),
})

type ClientResponse = { data: unknown; error: { value: unknown } | null; response?: Response | undefined }

/** Awaits a client call, checks the response against the contract, and turns every failure into a RequestError. */
export async function parseResponse<Schema extends v.GenericSchema>(
  schema: Schema,
  call: PromiseLike<ClientResponse>,
): Promise<v.InferOutput<Schema>> {
  const { data, error, response } = await readBody(call)
  if (!response) throw offlineError()
  if (error) throw errorOf(response, error.value)
  const parsed = v.safeParse(schema, data)
  if (!parsed.success) throw unreadableError(response.status)
  return parsed.output
}

/** The client only rejects if the body isn't the JSON it claims to be. */
async function readBody(call: PromiseLike<ClientResponse>): Promise<ClientResponse> {
  try {
    return await call
  } catch {
    throw unreadableError(0)
  }
}

const offlineError = () =>
  new RequestError({
    status: 0,
    code: 'offline',
    message: '0: No response',
    text: 'No signal. Try again when you’re back in range.',
  })

const unreadableError = (status: number) =>
  new RequestError({
    status,
    code: 'unreadable',
    message: `${status}: The response could not be read`,
    text: 'Something went wrong. Check your signal and try again.',
  })

function errorOf({ status, statusText }: Response, value: unknown): RequestError {
  const body = typeof value === 'string' ? value : JSON.stringify(value ?? undefined)
  const message = `${status}: ${body || statusText}`
  const parsed = v.safeParse(ErrorBody, value)
  if (!parsed.success) return new RequestError({ status, code: status >= 500 ? 'internal' : 'unreadable', message })
  const { message: text, ...rest } = parsed.output.error
  return new RequestError({ status, message, text, ...rest })
}
