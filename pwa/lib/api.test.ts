import * as v from 'valibot'
import { expect, test } from 'vitest'
import { parseResponse } from './api.ts'
import { RequestError } from './request-error.ts'

const Schema = v.object({ name: v.string() })

async function failure(call: Promise<unknown>) {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof RequestError)) throw new Error('Expected a RequestError')
  return error
}

const errorResponse = (status: number, value: unknown, statusText = '') =>
  parseResponse(
    Schema,
    Promise.resolve({ data: null, error: { value }, response: new Response(null, { status, statusText }) }),
  )

test('a response is checked against the contract', async () => {
  const response = new Response(null)
  expect(
    await parseResponse(Schema, Promise.resolve({ data: { name: 'Danny', more: 1 }, error: null, response })),
  ).toEqual({
    name: 'Danny',
  })
  const signInPage = parseResponse(Schema, Promise.resolve({ data: '<html>Wi-Fi</html>', error: null, response }))
  expect((await failure(signInPage)).code).toBe('unreadable')
})

test('ERR-01 ERR-02 an error carries the status and the body of the response, a 401 as any other', async () => {
  const body = { error: { code: 'conflict', message: 'You already have an account.', fields: { email: 'Taken' } } }
  const error = await failure(errorResponse(409, body))
  expect(error.message).toBe(`409: ${JSON.stringify(body)}`)
  expect([error.status, error.code, error.text, error.fields]).toEqual([
    409,
    'conflict',
    'You already have an account.',
    { email: 'Taken' },
  ])
  expect((await failure(errorResponse(401, 'Unauthorized'))).message).toBe('401: Unauthorized')
})

test('ERR-01 an empty body is replaced by the status text', async () => {
  const error = await failure(errorResponse(502, '', 'Bad Gateway'))
  expect([error.message, error.code, error.text]).toEqual(['502: Bad Gateway', 'internal', undefined])
})

test('no response counts as no signal', async () => {
  const error = await failure(parseResponse(Schema, Promise.resolve({ data: null, error: { value: new TypeError() } })))
  expect([error.status, error.code]).toEqual([0, 'offline'])
  expect((await failure(parseResponse(Schema, Promise.reject(new SyntaxError())))).code).toBe('unreadable')
})
