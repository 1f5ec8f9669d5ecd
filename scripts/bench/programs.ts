import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { freePort } from '#pwa/e2e/free-port.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))
/** A program of this folder. */
export const benchFile = (name: string) => `scripts/bench/${name}`

/** The machine's environment without the settings in `.env`, which mustn't affect the results. */
export const baseEnv = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' }

export type RunningServer = {
  pid: number
  url: string
  stop(): Promise<void>
  kill(): Promise<void>
  /** By which signal or with which code it ended. Null while it runs. */
  ending(): string | null
  [Symbol.asyncDispose](): Promise<void>
}

const started = new Set<Bun.Subprocess>()
process.on('exit', () => {
  for (const child of started) child.kill('SIGKILL')
})

type Options = { env?: Record<string, string>; log?: number | 'inherit' }

/** `bun …` with its output for us. What it complains of is shown, or goes to an open file. */
export function startProgram(argv: readonly string[], { env = {}, log = 'inherit' }: Options = {}) {
  const child = Bun.spawn([process.execPath, '--no-env-file', ...argv], {
    cwd: root,
    env: { ...baseEnv, ...env },
    stdio: ['ignore', 'pipe', log],
  })
  started.add(child)
  void child.exited.then(() => started.delete(child))
  return child
}

/** Starts a program that prints `ready` and its address once it accepts requests. */
export async function startServer(argv: readonly string[], options: Options = {}): Promise<RunningServer> {
  const child = startProgram(argv, options)
  const url = await readAddress(child.stdout)
  if (url === null) throw new Error(`${argv.join(' ')} did not start.`)
  const end = (signal: NodeJS.Signals) => async () => {
    child.kill(signal)
    const killed = Bun.sleep(5_000).then(() => child.kill('SIGKILL'))
    await Promise.race([child.exited, killed])
  }
  function ending() {
    const how = child.signalCode ?? child.exitCode
    return how === null ? null : String(how)
  }
  return {
    pid: child.pid,
    url,
    stop: end('SIGTERM'),
    kill: end('SIGKILL'),
    ending,
    [Symbol.asyncDispose]: end('SIGTERM'),
  }
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

/** The product's options for this data folder, with its own ports and default settings. */
export const productEnv = async (dataDir: string) => ({
  DATA_DIR: dataDir,
  HOST: '127.0.0.1',
  PORT: String(await freePort()),
  SANDBOX_PORT: String(await freePort()),
  SANDBOX_PEOPLE: 'few',
})

export const startProduct = async (dataDir: string, env: Record<string, string> = {}): Promise<RunningServer> =>
  startServer(['dist/api/main.js'], { env: { ...(await productEnv(dataDir)), ...env } })

/** Without jobs and sandbox. */
export const startBare = async (dataDir: string, env: Record<string, string> = {}): Promise<RunningServer> =>
  startServer([benchFile('bare-server.ts')], { env: { ...(await productEnv(dataDir)), ...env } })

/** A minimal server that sends a file's bytes with these headers. */
export const startPlain = (file: string, fields: Record<string, string>): Promise<RunningServer> =>
  startServer([benchFile('floors/plain.ts'), file, JSON.stringify(fields)])

/** Throws if it isn't answered with this status, and reads the answer to its end. */
export async function ask({ url }: Pick<RunningServer, 'url'>, path: string, init: RequestInit = {}, status = 200) {
  const response = await fetch(url + path, init)
  const body = await response.text()
  if (response.status !== status) throw new Error(`${path} responded with ${response.status}: ${body.slice(0, 200)}`)
  return { body, headers: response.headers }
}

/** A process's CPU time so far, in ms. Not a number except on Linux, as other systems don't report it. */
export function cpuMs(pid: number): number {
  try {
    const tasks = `/proc/${pid}/task`
    const ns = readdirSync(tasks).map((task) => readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0])
    return ns.reduce((sum, one) => sum + Number(one), 0) / 1e6
  } catch {
    return Number.NaN
  }
}

/** A process's memory, of a kind that Linux tells. 0 where it can't be read. */
export function memoryMb(pid: number, kind: 'VmRSS' | 'RssAnon' = 'VmRSS'): number {
  try {
    return Number(new RegExp(`${kind}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}
