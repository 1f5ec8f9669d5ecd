import { createFaults, handleControl } from '#api/sandbox/http/control.ts'
import { createHandler } from '#api/sandbox/http/handler.ts'
import { copyStore, isWritable } from '#api/sandbox/store/store.ts'
import type { Receiver } from '#api/sandbox/webhooks/deliveries.ts'
import { type Engine, type SandboxClock, startEngine } from './engine.ts'

export { sandboxPublishableKey, sandboxSecretKey } from '#api/sandbox/http/keys.ts'
export type { SandboxClock } from './engine.ts'

export type SandboxOptions = {
  /** An SQLite path, or `:memory:`. */
  file: string
  /** 0 means any free port. */
  port: number
  clock: SandboxClock
  /** `now` is the clock the receiver checks signatures against. Defaults to the machine's. */
  webhook: Pick<Receiver, 'url' | 'secret'> & Partial<Pick<Receiver, 'now' | 'deliver'>>
  /** Where a browser finds the sandbox's pages. Defaults to `url`. */
  pagesUrl?: () => string
  log?: (message: string, fields?: Record<string, unknown>) => void
  /** Receives the cause of a failed request, which the response doesn't reveal. Defaults to logging it. */
  onFailure?: (error: unknown, requestId: string) => void
}

export type Sandbox = {
  port: number
  /** `http://127.0.0.1:PORT` */
  url: string
  /** Answers a request from this process, without its way over the network. */
  answer(request: Request): Promise<Response>
  /** Resolves when every timer due by `to` has run, and its webhooks were delivered or are backing off. */
  advance(to: Date): Promise<void>
  settle(): Promise<void>
  /** Writes everything it stores into an SQLite file that doesn't exist yet, or is empty. */
  saveAs(file: string): void
  stop(): Promise<void>
}

export class PortError extends Error {}

const heartbeatMs = 15_000
const maxBodyBytes = 1024 * 1024

function handlerOf(engine: Engine, options: SandboxOptions) {
  const faults = createFaults()
  const control = (request: Request, path: string) => handleControl({ engine, faults }, request, path)
  const onFailure = options.onFailure ?? logFailure(options.log ?? (() => undefined))
  const now = options.webhook.now ?? (() => new Date())
  return createHandler({ engine, faults, control, onFailure, now })
}

function openPort(port: number, fetch: Sandbox['answer']) {
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

/** A small, stateful Stripe over HTTP. README.md lists what it supports. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const log = options.log ?? (() => undefined)
  let url = ''
  const engine = startEngine({
    file: options.file,
    clock: options.clock,
    receiver: { now: () => new Date(), deliver: (request) => fetch(request), ...options.webhook, log },
    pagesUrl: options.pagesUrl ?? (() => url),
  })
  const answer = handlerOf(engine, options)
  const server = await startServer(engine, options.port, answer)
  url = `http://127.0.0.1:${server.port}`
  const heartbeat = setInterval(() => runDueWork(engine, log), heartbeatMs)
  engine.deliveries.wake()
  engine.advanceTestClocks()
  return {
    port: Number(server.port),
    url,
    answer,
    advance: engine.advance,
    settle: engine.deliveries.settle,
    saveAs: (target) => copyStore(engine.store, target),
    async stop() {
      clearInterval(heartbeat)
      await server.stop(true)
      await engine.stop()
    },
  }
}

/** Runs due timers within seconds even if there are no requests. */
function runDueWork(engine: Engine, log: NonNullable<SandboxOptions['log']>): void {
  try {
    if (isWritable(engine.store)) engine.runDueTimers()
    engine.deliveries.wake()
  } catch (error) {
    log('sandbox failed', { reason: String(error) })
  }
}

async function startServer(engine: Engine, port: number, answer: Sandbox['answer']) {
  try {
    return openPort(port, answer)
  } catch (error) {
    await engine.stop()
    throw error
  }
}
