import { join } from 'node:path'
import Database from 'better-sqlite3'
import { builtProgram } from '#api/testing/built-program.ts'
import { freePorts } from '#api/testing/free-ports.ts'
import { type Copier, runCopier } from '#api/testing/litestream.ts'
import type { TestStore } from '#api/testing/s3-store.ts'
import { sandboxPassword } from '#data/seed/people.ts'

/** A machine with the site's programs, each a process of its own, and a store that it shares with others. */
export type Machine = { name: string; dataDir: string; database: string; url: string; env: Record<string, string> }

export function machineIn(folder: string, name: string, store: TestStore): Machine {
  const [port = '', sandboxPort = ''] = freePorts(2)
  const [dataDir, url] = [join(folder, name), `http://127.0.0.1:${port}`]
  const env = {
    DATA_DIR: dataDir,
    PORT: port,
    SANDBOX_PORT: sandboxPort,
    SANDBOX_PEOPLE: 'few',
    PUBLIC_URL: url,
    LITESTREAM_MACHINE: name,
    METRICS_TOKEN: 'metrics-token-of-the-tests-0123456789',
  }
  const all = { PATH: process.env.PATH ?? '', FFMPEG: 'off', ...store.env, ...env }
  return { name, dataDir, database: join(dataDir, 'alliance.sqlite'), url, env: all }
}

let programs: { site: string; terminal: string } | undefined

/** Looks once whether they're built: a machine's programs are there when it dies. */
function ofMachine() {
  programs ??= { site: builtProgram('api/main'), terminal: builtProgram('cli/main') }
  return programs
}

export async function startSite({ env }: Machine): Promise<Bun.Subprocess> {
  const program = Bun.spawn([process.execPath, '--no-env-file', ofMachine().site], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let said = ''
  for await (const words of program.stdout.pipeThrough(new TextDecoderStream())) {
    said += words
    if (/^ready /m.test(said)) return program
  }
  throw new Error(`The server ended: ${said}`)
}

/** `alliance …` on that machine. */
export async function runAlliance({ env }: Machine, line: string) {
  const argv = ['--no-env-file', ofMachine().terminal, ...line.split(' ')]
  const program = Bun.spawn([process.execPath, ...argv], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err] = await Promise.all([new Response(program.stdout).text(), new Response(program.stderr).text()])
  return { code: await program.exited, out, err }
}

/** Litestream, started as its service does, with the settings the site writes. */
export async function startCopying(machine: Machine): Promise<Copier> {
  const { code, out, err } = await runAlliance(machine, 'copies config --with-keys')
  if (code !== 0) throw new Error(`There are no settings for Litestream: ${err}`)
  return runCopier(out, machine.env)
}

export async function logIn({ url }: Machine): Promise<string> {
  const body = JSON.stringify({ email: 'standard@alliance.test', password: sandboxPassword })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${url}/api/auth/login`, { method: 'POST', headers, body })
  if (response.status !== 200) throw new Error(`Nobody was logged in: ${response.status}.`)
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

export function readDatabase<Row>(file: string, query: string): Row[] {
  const sqlite = new Database(file, { readonly: true })
  try {
    return sqlite.prepare<[], Row>(query).all()
  } finally {
    sqlite.close()
  }
}
