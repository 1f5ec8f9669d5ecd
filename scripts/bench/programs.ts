import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** The machine's own environment without the settings in `.env`, which must not change what is measured. */
export const baseEnv = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' }

export type RunningServer = { pid: number; url: string; stop(): Promise<void> }

const started = new Set<Bun.Subprocess>()
process.on('exit', () => {
  for (const child of started) child.kill('SIGKILL')
})

/** Starts a program that prints `ready` and its address once it takes requests. */
export async function startServer(argv: readonly string[], env: Record<string, string> = {}): Promise<RunningServer> {
  const child = Bun.spawn([process.execPath, '--no-env-file', ...argv], {
    cwd: root,
    env: { ...baseEnv, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  started.add(child)
  const url = await readAddress(child.stdout)
  if (url === null) throw new Error(`${argv.join(' ')} did not start.`)
  const stop = async () => {
    child.kill('SIGTERM')
    const killed = Bun.sleep(5_000).then(() => child.kill('SIGKILL'))
    await Promise.race([child.exited, killed])
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

/** Runs `work` with a server and stops it, even after an error. */
export async function withServer<Result>(
  server: Promise<RunningServer>,
  work: (server: RunningServer) => Promise<Result>,
): Promise<Result> {
  const running = await server
  try {
    return await work(running)
  } finally {
    await running.stop()
  }
}

/** The options of a product on this data folder, with ports of its own; all others keep their defaults. */
export const productEnv = (dataDir: string) => ({
  DATA_DIR: dataDir,
  HOST: '127.0.0.1',
  PORT: String(freePort()),
  SANDBOX_PORT: String(freePort()),
})

/** Starts the product on a data folder, as `npm start` does. */
export const startProduct = (dataDir: string, program = 'dist/api/main.js'): Promise<RunningServer> =>
  startServer([program], productEnv(dataDir))

const handedOut = new Set<number>()

/** A free port below those that the system gives to outgoing connections, which could take it before the server does. */
export function freePort(): number {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000)
    if (!handedOut.has(port) && isFree(port)) {
      handedOut.add(port)
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

/** The CPU time that a process has used so far, in ms; null on systems other than Linux, which do not report it. */
export function cpuMs(pid: number): number | null {
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
