import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '#pwa/e2e/free-port.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** The machine's environment without the settings in `.env`, which mustn't affect the results. */
export const baseEnv = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' }

export type RunningServer = {
  pid: number
  url: string
  stop(): Promise<void>
  kill(): Promise<void>
  /** By which signal or with which code it ended. Null while it runs. */
  ending(): string | null
}

const started = new Set<Bun.Subprocess>()
process.on('exit', () => {
  for (const child of started) child.kill('SIGKILL')
})

/** Starts a program that prints `ready` and its address once it accepts requests. `log` is an open file for what it complains of. */
export async function startServer(
  argv: readonly string[],
  env: Record<string, string> = {},
  log: number | 'inherit' = 'inherit',
): Promise<RunningServer> {
  const child = Bun.spawn([process.execPath, '--no-env-file', ...argv], {
    cwd: root,
    env: { ...baseEnv, ...env },
    stdio: ['ignore', 'pipe', log],
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
  const kill = async () => {
    child.kill('SIGKILL')
    await child.exited
    started.delete(child)
  }
  function ending() {
    const how = child.signalCode ?? child.exitCode
    return how === null ? null : String(how)
  }
  return { pid: child.pid, url, stop, kill, ending }
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

/** The product's options for this data folder, with its own ports and default settings. */
export const productEnv = async (dataDir: string) => ({
  DATA_DIR: dataDir,
  HOST: '127.0.0.1',
  PORT: String(await freePort()),
  SANDBOX_PORT: String(await freePort()),
  SANDBOX_PEOPLE: 'few',
})

export const startProduct = async (dataDir: string, program = 'dist/api/main.js'): Promise<RunningServer> =>
  startServer([program], await productEnv(dataDir))

/** A process's CPU time so far, in ms. Null except on Linux, as other systems don't report it. */
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
