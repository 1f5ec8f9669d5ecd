import { treaty } from '@elysiajs/eden/treaty2'
import * as v from 'valibot'
import type { App } from '#api/app.ts'
import { ErrorBody } from '#shared/contract/error.ts'
import { RequestError } from './request-error.ts'

/** Longer than this without an answer counts as no signal. */
const patienceMs = 30_000

/** The API, typed by its routes: `api.api['membership-tiers'].get()`. Use it inside `ask`. */
export const api = treaty<App>(globalThis.location?.origin ?? 'http://localhost', {
  parseDate: false,
  fetch: { credentials: 'same-origin' },
  onRequest: (_path, { signal }) => ({ signal: signal ?? AbortSignal.timeout(patienceMs) }),
})

/** What a call of the client resolves to. */
type Answer = { data: unknown; error: { value: unknown } | null; response?: Response | undefined }

/** Makes a call, checks its answer against the contract, and turns everything else into a RequestError. */
export const ask = async <Schema extends v.GenericSchema>(
  schema: Schema,
  call: PromiseLike<Answer>,
): Promise<v.InferOutput<Schema>> => {
  const { data, error, response } = await answered(call)
  if (!response) throw offline()
  if (error) throw refused(response, error.value)
  const read = v.safeParse(schema, data)
  if (!read.success) throw unreadable(response.status)
  return read.output
}

/** The client rejects only when the body is not the JSON it claims to be. */
const answered = async (call: PromiseLike<Answer>): Promise<Answer> => {
  try {
    return await call
  } catch {
    throw unreadable(0)
  }
}

const offline = () =>
  new RequestError({
    status: 0,
    code: 'offline',
    message: '0: No answer',
    text: 'No signal. Please try again when you are back in range.',
  })

const unreadable = (status: number) =>
  new RequestError({
    status,
    code: 'unreadable',
    message: `${status}: The answer could not be read`,
    text: 'The answer could not be read. Please check your connection and try again.',
  })

const refused = ({ status, statusText }: Response, value: unknown) => {
  const body = typeof value === 'string' ? value : value == null ? '' : JSON.stringify(value)
  const message = `${status}: ${body || statusText}`
  const read = v.safeParse(ErrorBody, value)
  if (!read.success) return new RequestError({ status, code: status >= 500 ? 'internal' : 'unreadable', message })
  const { code, message: text, fields } = read.output.error
  return new RequestError({ status, code, message, text, fields })
}
