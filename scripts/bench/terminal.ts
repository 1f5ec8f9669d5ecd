import { join } from 'node:path'
import type { Fixture } from './fixture.ts'
import { baseEnv, root } from './programs.ts'
import { formatMs, type Result, ratioRow } from './result.ts'
import { fastestOfRounds } from './rounds.ts'

const rounds = 15

type Program = { argv: string[]; isTerminal: boolean; expected: RegExp }

/** The terminal against a program that does nothing: its version, a piped list, a table on a TTY. */
export async function measureTerminal({ copyDataDir }: Fixture): Promise<Result[]> {
  const env = { ...baseEnv, DATA_DIR: copyDataDir(), TERM: 'xterm-256color' }
  const cli = join(root, 'dist/cli/main.js')
  const list = [cli, 'members', 'list']
  const nothing: Program = { argv: ['-e', '0'], isTerminal: false, expected: /^$/ }
  const measure = async (row: string, program: Program, atMost: number) => {
    const comparison = await fastestOfRounds(rounds, {
      floor: () => timeProgram(nothing, env),
      product: () => timeProgram(program, env),
    })
    return ratioRow(row, comparison, formatMs, { atMost })
  }
  return [
    await measure('CLI --version', { argv: [cli, '--version'], isTerminal: false, expected: /^\d+\.\d+/ }, 8),
    await measure('CLI members list, plain', { argv: list, isTerminal: false, expected: /standard@/ }, 40),
    await measure('CLI members list, Ink table', { argv: list, isTerminal: true, expected: /standard@/ }, 60),
    await measureDesk(cli, nothing, env),
  ]
}

/** The dashboard until its figures and to-do list show. Then we press its quit key. */
async function measureDesk(cli: string, nothing: Program, env: Record<string, string>): Promise<Result> {
  const comparison = await fastestOfRounds(rounds, {
    floor: () => timeProgram(nothing, env),
    product: () => timeFirstPicture(cli, env),
  })
  return ratioRow('CLI desk, first picture', comparison, formatMs, { atMost: 80 })
}

async function timeFirstPicture(cli: string, env: Record<string, string>): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const from = performance.now()
  let output = ''
  const data = (_terminal: Bun.Terminal, bytes: Uint8Array) => {
    output += new TextDecoder().decode(bytes)
    if (/£\d/.test(output) && /TO DO/.test(output)) resolve(performance.now() - from)
  }
  const command = [process.execPath, '--no-env-file', cli, 'desk']
  const child = Bun.spawn(command, { cwd: root, env, terminal: { cols: 120, rows: 40, data } })
  void child.exited.then((code) => reject(new Error(`The desk ended with ${code}: ${output}`)))
  const ms = await promise
  child.terminal?.write('q')
  await child.exited
  child.terminal?.close()
  return ms
}

async function timeProgram({ argv, isTerminal, expected }: Program, env: Record<string, string>): Promise<number> {
  const command = [process.execPath, '--no-env-file', ...argv]
  const from = performance.now()
  const { code, output } = await (isTerminal ? runOnTerminal : runInPipe)(command, env)
  const ms = performance.now() - from
  if (code !== 0 || !expected.test(output)) throw new Error(`${argv.join(' ')} ended with ${code}: ${output}`)
  return ms
}

async function runInPipe(command: string[], env: Record<string, string>) {
  const child = Bun.spawn(command, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const output = await new Response(child.stdout).text()
  return { code: await child.exited, output }
}

async function runOnTerminal(command: string[], env: Record<string, string>) {
  let output = ''
  const decoder = new TextDecoder()
  const data = (_terminal: Bun.Terminal, bytes: Uint8Array) => {
    output += decoder.decode(bytes, { stream: true })
  }
  const child = Bun.spawn(command, { cwd: root, env, terminal: { cols: 120, rows: 40, data } })
  const code = await child.exited
  child.terminal?.close()
  return { code, output }
}
