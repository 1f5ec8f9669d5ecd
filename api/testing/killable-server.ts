import { createApp } from '#api/app.ts'
import { openContext } from '#api/context.ts'
import { readSettings } from '#api/settings.ts'

/**
 * A server that dies as by kill -9 in the middle of a request: before or after a call to Stripe, before a database statement, or
 * before its response. Arguments: folder, sandbox port, number of the step it dies at (0: never), and whether `all` steps count or
 * only `writes` to Stripe. Prints its port, and `/steps` returns how many steps the last request took.
 */
const [dataDir = '', sandboxPort = '', dieAt = '', counts = 'all'] = process.argv.slice(2)
const countsAll = counts === 'all'

let steps = 0
function step(): void {
  steps += 1
  if (steps === Number(dieAt)) process.kill(process.pid, 'SIGKILL')
}

const originalFetch = globalThis.fetch
async function counted(...given: Parameters<typeof fetch>) {
  const isStep = countsAll || isWrite(...given)
  if (isStep) step()
  const response = await originalFetch(...given)
  if (isStep) step()
  return response
}

/** A preview is a POST that changes nothing. */
const isWrite = (...[input, init]: Parameters<typeof fetch>) =>
  (init?.method ?? 'GET') !== 'GET' && !String(input).endsWith('/create_preview')
globalThis.fetch = Object.assign(counted, { preconnect: originalFetch.preconnect })

const silent = { debug() {}, info() {}, warn() {}, error() {} }
const ctx = openContext(readSettings({ DATA_DIR: dataDir, SANDBOX_PORT: sandboxPort }), { log: silent })
const prepare = ctx.sqlite.prepare.bind(ctx.sqlite)
Object.assign(ctx.sqlite, {
  prepare(source: string) {
    const statement = prepare(source)
    for (const method of ['run', 'get', 'all'] as const) {
      const execute = statement[method].bind(statement)
      Object.assign(statement, {
        [method]: (...given: unknown[]) => {
          if (countsAll) step()
          return execute(...given)
        },
      })
    }
    return statement
  },
})

const app = createApp(ctx)
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    if (new URL(request.url).pathname === '/steps') return new Response(String(steps))
    steps = 0
    const response = await app.handle(request)
    if (countsAll) step()
    return response
  },
})
process.stdout.write(`${server.port}\n`)
