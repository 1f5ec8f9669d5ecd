import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** The machine's own settings and no others: what stands in `.env` must not change what is measured. */
export const bare = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' }

export type Running = { pid: number; url: string; stop(): Promise<void> }

const started = new Set<Bun.Subprocess>()
process.on('exit', () => {
  for (const child of started) child.kill('SIGKILL')
})

/** Starts a server that prints `ready` and its address as soon as it takes requests. */
export async function startServer(argv: readonly string[], env: Record<string, string> = {}): Promise<Running> {
  const child = Bun.spawn([process.execPath, '--no-env-file', ...argv], {
    cwd: root,
    env: { ...bare, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  started.add(child)
  const url = await readAddress(child.stdout)
  if (url === null) throw new Error(`${argv.join(' ')} did not start.`)
  const stop = async () => {
    child.kill('SIGTERM')
    const isLate = Bun.sleep(5_000).then(() => child.kill('SIGKILL'))
    await Promise.race([child.exited, isLate])
    started.delete(child)
  }
  return { pid: child.pid, url, stop }
}

async function readAddress(output: ReadableStream<Uint8Array>): Promise<string | null> {
  const decoder = new TextDecoder()
  const reader = output.getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return null
    text += decoder.decode(value, { stream: true })
    const address = /^ready (\S+)$/m.exec(text)?.[1]
    if (address !== undefined) return address
  }
}

/** Runs `work` on a server and stops it, whatever happens. */
export async function whileRunning<Result>(
  server: Promise<Running>,
  work: (server: Running) => Promise<Result>,
): Promise<Result> {
  const running = await server
  try {
    return await work(running)
  } finally {
    await running.stop()
  }
}

/** What the product is told of a data folder; the rest is as it comes. */
export const productEnv = (dataDir: string) => ({
  DATA_DIR: dataDir,
  HOST: '127.0.0.1',
  PORT: String(freePort()),
  SANDBOX_PORT: String(freePort()),
})

/** The product on a data folder, as `npm start` runs it. */
export const startProduct = (dataDir: string, program = 'api/main.ts'): Promise<Running> =>
  startServer([program], productEnv(dataDir))

const taken = new Set<number>()

/** Below the ports that the system lends to connections, where one may be in use again by the time it is asked for. */
export function freePort(): number {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000)
    if (!taken.has(port) && isFree(port)) {
      taken.add(port)
      return port
    }
  }
}

function isFree(port: number): boolean {
  try {
    Bun.listen({ hostname: '127.0.0.1', port, socket: { data() {} } }).stop()
    return true
  } catch {
    return false
  }
}

/** Ms that a process has spent on a processor so far; none where the system does not say (only Linux does). */
export function processorMs(pid: number): number | null {
  try {
    const tasks = `/proc/${pid}/task`
    const ns = readdirSync(tasks).map((task) =>
      Number(readFileSync(join(tasks, task, 'schedstat'), 'utf8').split(' ')[0]),
    )
    return ns.reduce((sum, one) => sum + one, 0) / 1e6
  } catch {
    return null
  }
}
