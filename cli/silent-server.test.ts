import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type RunResult, runCommand } from '#cli/testing/run-command.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const encoder = new TextEncoder()

/** Sends each chunk when the test asks for it, and then nothing more. */
function silentAfter(type: string, pieces: readonly string[]) {
  const sent = [...pieces]
  let send = () => {}
  const body = new ReadableStream({
    start(controller) {
      send = () => controller.enqueue(encoder.encode(sent.shift()))
    },
  })
  return { response: new Response(body, { headers: { 'content-type': type } }), send: () => send() }
}

/** Runs a command against such a server. `untilWaiting` resolves when its `count`th wait starts. */
function runOn(argv: string, respond: () => Response | Promise<Response>) {
  const timers = vi.spyOn(globalThis, 'setTimeout')
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 0, fetch: respond })
  const api = `http://127.0.0.1:${server.port}`
  const ran = runCommand([...argv.split(' '), '--api', api], { env: { ALLIANCE_TOKEN: 'a' } })
  const untilWaiting = async (count: number) => {
    while (timers.mock.calls.filter(([, ms]) => (ms ?? 0) >= minute).length < count) await new Promise(setImmediate)
  }
  const end = async (): Promise<RunResult> => {
    const result = await ran
    await server.stop(true)
    return result
  }
  return { untilWaiting, end }
}

const minute = 60_000
const never = () => new Promise<Response>(() => {})

test.each(['mrr', 'invoices export --csv'])('alliance %s is not answered: one line after a minute', async (argv) => {
  const run = runOn(argv, never)
  await run.untilWaiting(1)
  vi.advanceTimersByTime(minute)
  expect(await run.end()).toEqual({
    code: 1,
    out: '',
    err: expect.stringMatching(/^No response from \S+ \(TimeoutError\)\. Is the server running\?\n$/),
  })
})

test('a file of which no more comes is incomplete after a minute, however long it took until then', async () => {
  const { response, send } = silentAfter('text/csv', ['document,number\r\n', 'Invoice,A-1\r\n', 'Invoice,A-2\r\n'])
  const run = runOn('invoices export --csv', () => response)
  // The first wait is for the headers, and each one after for a chunk.
  for (const count of [3, 4, 5]) {
    send()
    await run.untilWaiting(count)
    vi.advanceTimersByTime(minute - 1)
  }
  vi.advanceTimersByTime(1)
  expect(await run.end()).toEqual({
    code: 1,
    out: 'document,number\r\nInvoice,A-1\r\nInvoice,A-2\r\n',
    err: expect.stringMatching(/^The file is incomplete: writing stopped \(TimeoutError\)\..*\n$/),
  })
})

test('a response of which no more comes is one line after a minute', async () => {
  const { response, send } = silentAfter('application/json', ['{"totalMRR":'])
  const run = runOn('mrr', () => response)
  send()
  await run.untilWaiting(3)
  vi.advanceTimersByTime(minute)
  expect(await run.end()).toEqual({
    code: 1,
    out: '',
    err: expect.stringMatching(/^The server hasn’t responded for 60 seconds\..*\n$/),
  })
})

test.each(['invoices fix', 'jobs run reconcile', 'sandbox advance 1096d'])(
  'alliance %s may take the better part of an hour',
  async (argv) => {
    const { promise, resolve } = Promise.withResolvers<Response>()
    const run = runOn(argv, () => promise)
    await run.untilWaiting(1)
    vi.advanceTimersByTime(59 * minute)
    resolve(Response.json({ error: { code: 'busy', message: 'It has been answered.' } }, { status: 503 }))
    expect((await run.end()).err).toContain('It has been answered.')
  },
)
