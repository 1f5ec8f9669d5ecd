import { join } from 'node:path'
import { fastestOfRounds, formatMs, printRatio, timed } from './figures.ts'
import type { Fixture } from './fixture.ts'
import { ask, baseEnv, type RunningServer, root, startProduct, startServer } from './programs.ts'

const hello = `const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('hello') })
console.log('ready http://127.0.0.1:' + server.port)`

/** From the start of the process to the end of its first response, on a seeded data folder. */
export async function measureStart({ copyDataDir }: Fixture): Promise<void> {
  const dataDir = copyDataDir()
  const timeStart = async (start: () => Promise<RunningServer>, path: string) => {
    let server: RunningServer | undefined
    const ms = await timed(async () => {
      server = await start()
      await ask(server, path)
    })
    await server?.stop()
    return ms
  }
  const comparison = await fastestOfRounds({
    rounds: 11,
    floor: () => timeStart(() => startServer(['-e', hello]), '/'),
    product: () => timeStart(() => startProduct(dataDir), '/api/membership-tiers'),
  })
  printRatio('Server, start to first answer', comparison, { format: formatMs, limit: { atMost: 45 } })
}

type Program = { argv: readonly string[]; isTerminal?: boolean; expected: RegExp; endsWith?: string }

const cli = join(root, 'dist/cli/main.js')
const list = { argv: [cli, 'members', 'list'], expected: /standard@/ }

const programs: Record<string, Program & { atMost: number }> = {
  'CLI --version': { argv: [cli, '--version'], expected: /^\d+\.\d+/, atMost: 8 },
  'CLI members list, plain': { ...list, atMost: 40 },
  'CLI members list, Ink table': { ...list, isTerminal: true, atMost: 60 },
  // Until the dashboard's figures and to-do list show. Then we press its quit key.
  'CLI desk, first picture': {
    argv: [cli, 'desk'],
    isTerminal: true,
    expected: /£\d[\s\S]*TO DO|TO DO[\s\S]*£\d/,
    endsWith: 'q',
    atMost: 80,
  },
}

/** The terminal against a program that does nothing: its version, a piped list, a table on a TTY, the dashboard. */
export async function measureTerminal({ copyDataDir }: Fixture): Promise<void> {
  const env = { ...baseEnv, DATA_DIR: copyDataDir(), TERM: 'xterm-256color' }
  for (const [row, { atMost, ...program }] of Object.entries(programs)) {
    const comparison = await fastestOfRounds({
      rounds: 15,
      floor: () => timeProgram({ argv: ['-e', '0'], expected: /^$/ }, env),
      product: () => timeProgram(program, env),
    })
    printRatio(row, comparison, { format: formatMs, limit: { atMost } })
  }
}

/** To its end, or until it shows what's expected if a key ends it. */
async function timeProgram({ argv, isTerminal, expected, endsWith }: Program, env: Record<string, string>) {
  const command = [process.execPath, '--no-env-file', ...argv]
  const shown = Promise.withResolvers<void>()
  let output = ''
  const data = (_terminal: Bun.Terminal, bytes: Uint8Array) => {
    output += new TextDecoder().decode(bytes)
    if (endsWith !== undefined && expected.test(output)) shown.resolve()
  }
  const from = performance.now()
  const child = isTerminal
    ? Bun.spawn(command, { cwd: root, env, terminal: { cols: 120, rows: 40, data } })
    : Bun.spawn(command, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] })
  if (child.stdout) output = await new Response(child.stdout).text()
  await Promise.race([child.exited, shown.promise])
  const ms = performance.now() - from
  if (endsWith !== undefined) child.terminal?.write(endsWith)
  const code = await child.exited
  child.terminal?.close()
  if (code !== 0 || !expected.test(output)) throw new Error(`${argv.join(' ')} ended with ${code}: ${output}`)
  return ms
}
