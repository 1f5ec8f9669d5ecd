import { createFaults, handleControl } from '#api/sandbox/http/control.ts'
import { createHandler } from '#api/sandbox/http/handler.ts'
import { isWritable } from '#api/sandbox/store/store.ts'
import type { Receiver } from '#api/sandbox/webhooks/deliveries.ts'
import { type Engine, type SandboxClock, startEngine } from './engine.ts'

export { sandboxPublishableKey, sandboxSecretKey } from '#api/sandbox/http/keys.ts'
export type { SandboxClock } from './engine.ts'

export type SandboxOptions = {
  /** SQLite path, or `:memory:`. */
  file: string
  /** 0 means any free port. */
  port: number
  clock: SandboxClock
  /** `now` is the clock that the receiver checks the signature's time against. It defaults to the machine's clock. */
  webhook: Pick<Receiver, 'url' | 'secret'> & Partial<Pick<Receiver, 'now' | 'deliver'>>
  /** The address of the sandbox's pages in a browser. It defaults to `url`. */
  pagesUrl?: () => string
  log?: (message: string, fields?: Record<string, unknown>) => void
  /** Told what a request failed of, which its sender does not learn. It defaults to the log. */
  onFailure?: (error: unknown, requestId: string) => void
}

export type Sandbox = {
  port: number
  /** `http://127.0.0.1:PORT` */
  url: string
  /** Resolves when every timer due by `to` has run and its webhooks were delivered or are backing off. */
  advance(to: Date): Promise<void>
  /** Resolves when no webhook delivery is due right now. */
  settle(): Promise<void>
  stop(): Promise<void>
}

export class PortError extends Error {}

const heartbeatMs = 15_000
const maxBodyBytes = 1024 * 1024

function openPort(port: number, engine: Engine, options: SandboxOptions) {
  const faults = createFaults()
  const control = (request: Request, path: string) => handleControl({ engine, faults }, request, path)
  const onFailure = options.onFailure ?? logFailure(options.log ?? (() => undefined))
  const now = options.webhook.now ?? (() => new Date())
  const fetch = createHandler({ engine, faults, control, onFailure, now })
  try {
    return Bun.serve({
      hostname: '127.0.0.1',
      port,
      reusePort: false,
      idleTimeout: 0,
      maxRequestBodySize: maxBodyBytes,
      fetch,
    })
  } catch (error) {
    throw new PortError(`The payment sandbox cannot listen on 127.0.0.1:${port}: ${String(error)}`, { cause: error })
  }
}

const logFailure = (log: NonNullable<SandboxOptions['log']>) => (error: unknown, requestId: string) =>
  log('sandbox failed', { requestId, reason: String(error), stack: error instanceof Error ? error.stack : '' })

/** Starts a small stateful Stripe over HTTP. README.md lists what it supports. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const log = options.log ?? (() => undefined)
  let url = ''
  const engine = startEngine({
    file: options.file,
    clock: options.clock,
    receiver: { now: () => new Date(), deliver: (request) => fetch(request), ...options.webhook, log },
    pagesUrl: options.pagesUrl ?? (() => url),
  })
  const server = await startServer(engine, options)
  url = `http://127.0.0.1:${server.port}`
  const heartbeat = setInterval(() => runDueWork(engine, log), heartbeatMs)
  engine.deliveries.wake()
  engine.advanceTestClocks()
  return {
    port: Number(server.port),
    url,
    advance: engine.advance,
    settle: engine.deliveries.settle,
    async stop() {
      clearInterval(heartbeat)
      await server.stop(true)
      await engine.stop()
    },
  }
}

/** Timers that fall due while no request comes in still run within seconds. */
function runDueWork(engine: Engine, log: NonNullable<SandboxOptions['log']>): void {
  try {
    if (isWritable(engine.store)) engine.runDueTimers()
    engine.deliveries.wake()
  } catch (error) {
    log('sandbox failed', { reason: String(error) })
  }
}

async function startServer(engine: Engine, options: SandboxOptions) {
  try {
    return openPort(options.port, engine, options)
  } catch (error) {
    await engine.stop()
    throw error
  }
}
